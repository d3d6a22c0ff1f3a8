import { execFileSync, spawn } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'

const cache = fileURLToPath(new URL('../../.cache', import.meta.url))
const launchTimeoutMs = 120_000

/** Launches a Chromium: the machine's own, or else the one from the npm package @sparticuz/chromium, which includes its libraries and a font. */
export async function launchChromium(): Promise<Browser> {
  const own = installedChromium()
  const packed = own === undefined ? await unpackedChromium() : undefined
  return await chromium.launch({
    executablePath: own ?? join(packed ?? '', 'chromium'),
    // Root cannot use the sandbox, and Chromium would crash where there is little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    timeout: launchTimeoutMs,
    ...(packed !== undefined && {
      env: {
        ...process.env,
        LD_LIBRARY_PATH: join(packed, 'lib'),
        FONTCONFIG_PATH: packed,
        FONTCONFIG_FILE: join(packed, 'fonts.conf'),
      },
    }),
  })
}

function installedChromium(): string | undefined {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome-stable'])
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      // This one is not installed.
    }
  return undefined
}

/** The package's archives, unpacked once: below the clone, where only its owner can write. */
async function unpackedChromium(): Promise<string> {
  const bin = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin')
  const { version } = JSON.parse(readFileSync(join(bin, '../package.json'), 'utf8')) as { version: string }
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}-${process.pid}`
  await mkdir(unfinished, { recursive: true })
  const program = join(unfinished, 'chromium')
  await Promise.all([
    pipeline(createReadStream(join(bin, 'chromium.br')), createBrotliDecompress(), createWriteStream(program)),
    ...['al2023', 'fonts', 'swiftshader'].map((name) => unpackTar(join(bin, `${name}.tar.br`), unfinished)),
  ])
  await chmod(program, 0o755)
  await writeFile(join(unfinished, 'fonts.conf'), fontsConfiguration(join(folder, 'fonts')))
  await rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true, force: true })
    // Another run has unpacked it in the meantime.
    if (!existsSync(folder)) throw error
  })
  return folder
}

async function unpackTar(archive: string, into: string): Promise<void> {
  const tar = spawn('tar', ['-x', '-C', into], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve, reject) => {
    tar
      .once('error', reject)
      .once('close', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code}`))))
  })
  // tar exits once it has read the end of the archive, sometimes before the padding after it was written. Its exit code shows whether the archive was
  // complete.
  const fed = pipeline(createReadStream(archive), createBrotliDecompress(), tar.stdin).catch(() => undefined)
  await ended
  await fed
}

/** The package's font, so that pages look alike on every machine; the machine's own fonts for characters that it lacks, such as ₦. */
function fontsConfiguration(folder: string): string {
  const alias = (family: string): string =>
    `<alias><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir>${['system-ui', 'sans-serif'].map(alias).join('')}</fontconfig>
`
}
