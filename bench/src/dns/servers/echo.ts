import { fileURLToPath } from 'node:url'
import { type RunningServer, runServer } from './server.ts'

const program = fileURLToPath(new URL('./echo-program.ts', import.meta.url))

/** Not a server: it receives and sends like ours, but looks nothing up. All its answers are wrong. */
export function startEcho(port: number): Promise<RunningServer> {
  return runServer(process.execPath, ['--disable-warning=ExperimentalWarning', program, String(port)], port)
}
