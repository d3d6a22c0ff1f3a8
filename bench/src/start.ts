import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { environmentOf, freeAddresses } from '../../tools/local/addresses.ts'
import { type Figure, median } from './report.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const starts = 5

/** `npm start`, from the command to its word that all is ready, on an installation that was made before. */
export async function start(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-start-'))
  try {
    const env = { ...process.env, DATA_DIR: dataDir, ...environmentOf(await freeAddresses()) }
    await startOnce(env)
    const samples: number[] = []
    while (samples.length < starts) samples.push(await startOnce(env))
    const bar = { kind: 'at most', value: 4 } as const
    return [{ name: 'npm start again, to ready', value: median(samples), unit: 's', samples, bar }]
  } finally {
    // Started as root, its cluster is elsewhere.
    const postgres = await startEmbeddedPostgres(dataDir, createLogger('bench', 'warn'))
    await postgres.stop()
    await postgres.erase()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Starts it and stops it in order; the seconds until it was ready. */
async function startOnce(env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now()
  const command = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => command.once('close', () => resolve()))
  let readyAfterS: number | undefined
  let said = ''
  command.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (readyAfterS !== undefined || !said.includes(' is ready')) return
    readyAfterS = (performance.now() - began) / 1_000
    command.kill('SIGTERM')
  })
  await ended
  if (readyAfterS === undefined) throw new Error('npm start ended before it was ready')
  return readyAfterS
}
