import { fileURLToPath } from 'node:url'
import { type RunningServer, runServer } from './server.ts'

const program = fileURLToPath(new URL('./echo-program.ts', import.meta.url))

/** No server at all: it receives and sends the way ours does, and looks nothing up. Its answers are all wrong. */
export function startEcho(port: number): Promise<RunningServer> {
  return runServer(process.execPath, ['--disable-warning=ExperimentalWarning', program, String(port)], port)
}
