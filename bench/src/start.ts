import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { environmentOf, freeAddresses } from '../../tools/local/addresses.ts'
import { type Figure, median } from './report.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const firstStarts = 5
const starts = 5

/** `npm start`, from the command until it reports that everything is ready: the first time, and with an existing installation. */
export async function start(): Promise<Figure[]> {
  return [
    figureOf('npm start, the first on a fresh clone, to ready', 120, await firstOnes()),
    figureOf('npm start again, to ready', 4, await laterOnes()),
  ]
}

function figureOf(name: string, atMostS: number, samples: readonly number[]): Figure {
  return { name, value: median(samples), unit: 's', samples, bar: { kind: 'at most', value: atMostS } }
}

/** As after a clone: the committed files, no packages, no build, and npm's cache of this machine. */
async function firstOnes(): Promise<number[]> {
  const samples: number[] = []
  while (samples.length < firstStarts)
    samples.push(
      await inFolder('clone', async (clone) => {
        await promisify(execFile)('git', ['clone', '--quiet', root, clone])
        const dataDir = join(clone, 'data')
        try {
          return await startOnce(clone, { ...newcomersEnv(), ...environmentOf(await freeAddresses()) })
        } finally {
          await eraseCluster(dataDir)
        }
      }),
    )
  return samples
}

async function laterOnes(): Promise<number[]> {
  return await inFolder('start', async (dataDir) => {
    const env = { ...process.env, DATA_DIR: dataDir, ...environmentOf(await freeAddresses()) }
    try {
      await startOnce(root, env)
      const samples: number[] = []
      while (samples.length < starts) samples.push(await startOnce(root, env))
      return samples
    } finally {
      await eraseCluster(dataDir)
    }
  })
}

async function inFolder<T>(what: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `zonewright-${what}-`))
  return await work(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

/** If started as root, it is not in the data directory. */
async function eraseCluster(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres(dataDir, createLogger('bench', 'warn'))
  await postgres.stop()
  await postgres.erase()
}

/** The environment without the variables of npm, of our own Node, and of the compile cache of this run. */
function newcomersEnv(): NodeJS.ProcessEnv {
  const { PATH = '', ...others } = process.env
  const path = PATH.split(delimiter).filter((folder) => !folder.startsWith(root))
  const foreign = Object.entries(others).filter(([name]) => !/^npm_|^NODE_|^INIT_CWD$|^DATA_DIR$/.test(name))
  return { ...Object.fromEntries(foreign), PATH: path.join(delimiter) }
}

/** Starts it and stops it in order; returns the seconds until it was ready. */
async function startOnce(cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now()
  const command = spawn('npm', ['start'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
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
