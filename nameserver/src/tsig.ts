import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  DnsFault,
  type Hmac,
  nameToWire,
  parseName,
  type TsigAlgorithm,
  type TsigKey,
  tsigAlgorithms,
} from '@zonewright/dns'
import { reasonOf, StartupFault } from './startup-fault.ts'

/** The keyed hash, which `@zonewright/dns` gets from its callers. */
export const hmac: Hmac = (algorithm, key, data) =>
  createHmac(algorithm.slice('hmac-'.length), key).update(data).digest()

/** The current time in seconds since 1970, as in TSIG. */
export function unixSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/**
 * Reads one or two lines `hmac-sha256:NAME:BASE64SECRET`, the form that `dig -y` accepts.
 *
 * @throws StartupFault if the file cannot be read or has another format. The secret is never quoted.
 */
export function readTsigFile(file: string): [TsigKey, ...TsigKey[]] {
  const [first = '', ...others] = readLines(file)
  if (others.length > 1) throw malformed(file)
  if (others[0] === first) throw new StartupFault(`--tsig ${file}: both lines have the same key; remove one of them`)
  return [parseKey(file, first), ...others.map((line) => parseKey(file, line))]
}

function parseKey(file: string, line: string): TsigKey {
  const match = /^([a-z0-9-]+):([^:\s]+):([A-Za-z0-9+/]+={0,2})$/.exec(line)
  const [, algorithm = '', name = '', base64 = ''] = match ?? []
  if (!isAlgorithm(algorithm)) throw malformed(file)
  const secret = new Uint8Array(Buffer.from(base64, 'base64'))
  if (secret.length === 0) throw new StartupFault(`--tsig ${file}: the secret is empty`)
  try {
    return { name: parseName(name.endsWith('.') ? name : `${name}.`), algorithm, secret }
  } catch (error) {
    if (error instanceof DnsFault) throw new StartupFault(`--tsig ${file}: ${error.message}`)
    throw error
  }
}

function malformed(file: string): StartupFault {
  return new StartupFault(
    `--tsig ${file}: expected one line hmac-sha256:NAME:BASE64SECRET, or two lines while the key is being replaced`,
  )
}

function isAlgorithm(text: string): text is TsigAlgorithm {
  return Object.hasOwn(tsigAlgorithms, text)
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split(/\s*\n\s*/)
  } catch (error) {
    throw new StartupFault(`--tsig ${file} cannot be read: ${reasonOf(error)}`)
  }
}

/** How many bytes signing with `key` adds to a message (RFC 8945 §4.2). */
export function tsigSize(key: TsigKey): number {
  const { name, macBytes } = tsigAlgorithms[key.algorithm]
  const recordHead = 10
  const timesAndLengths = 16
  return nameToWire(key.name).length + recordHead + nameToWire(name).length + timesAndLengths + macBytes
}
