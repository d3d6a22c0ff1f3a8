import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Log } from '../log.ts'
import { reasonOf, StartupFault } from '../startup-fault.ts'
import { SharedSecrets, secretBytes } from './shared-secrets.ts'

export interface SecretTimes {
  /** How long a random secret is used to create cookies. RFC 7873 §7.1 recommends a day, and allows at most 36 days. */
  readonly rotateMs: number
  /** How often a secret file is checked for changes. */
  readonly watchMs: number
}

export const usualSecretTimes: SecretTimes = { rotateMs: 24 * 3600 * 1000, watchMs: 10_000 }

/**
 * Keeps the shared secrets current, in the main thread. They come from a file, which is read again when it changes, or are random, with a new secret
 * each day. The previous secret is accepted until the next change, which is longer than any cookie is valid.
 *
 * @returns a function that stops this.
 * @throws StartupFault if the file cannot be read or has another format; the secrets are never quoted.
 */
export function keepCookieSecrets(
  shared: SharedArrayBuffer,
  file: string | undefined,
  log: Log,
  times = usualSecretTimes,
): () => void {
  const secrets = new SharedSecrets(shared)
  return file === undefined ? keepRandom(secrets, times) : keepFile(secrets, file, log, times)
}

function keepRandom(secrets: SharedSecrets, { rotateMs }: SecretTimes): () => void {
  let making = randomBytes(secretBytes)
  secrets.set(making)
  const rotation = setInterval(() => {
    const previous = making
    making = randomBytes(secretBytes)
    secrets.set(making, previous)
  }, rotateMs).unref()
  return () => clearInterval(rotation)
}

function keepFile(secrets: SharedSecrets, file: string, log: Log, { watchMs }: SecretTimes): () => void {
  let seen = readLines(file)
  secrets.set(...secretsIn(seen, file))
  let lastFault = ''
  const look = () => {
    try {
      const lines = readLines(file)
      if (lines.join() === seen.join()) return
      secrets.set(...secretsIn(lines, file))
      seen = lines
      lastFault = ''
      log.info('cookie secrets changed', { file })
    } catch (error) {
      const fault = reasonOf(error)
      if (fault !== lastFault) log.error('cookie secrets unchanged', { reason: fault })
      lastFault = fault
    }
  }
  const watch = setInterval(look, watchMs).unref()
  return () => clearInterval(watch)
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split(/\s*\n\s*/)
  } catch (error) {
    throw new StartupFault(`--cookie-secret ${file} cannot be read: ${reasonOf(error)}`)
  }
}

/**
 * One or two lines of 32 hex digits: the secret that makes cookies, and one that is also accepted. For nameservers
 * behind one address (anycast), put a new secret into the second line everywhere, then swap the lines
 * everywhere, then remove the old one (RFC 9018 §5).
 */
function secretsIn(lines: readonly string[], file: string): [Uint8Array, Uint8Array?] {
  const [making, accepted] = lines.map((line) => Buffer.from(line, 'hex'))
  const areWhole = lines.every((line) => /^[0-9a-f]{32}$/i.test(line))
  if (!making || lines.length > 2 || !areWhole) {
    throw new StartupFault(`--cookie-secret ${file}: expected one or two lines of 32 hex digits`)
  }
  return accepted ? [making, accepted] : [making]
}
