import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseName, type TsigKey } from '@zonewright/dns'

/** The TSIG key of all transfers of a bench. */
export const transferKey: TsigKey = {
  name: parseName('bench-transfer.'),
  algorithm: 'hmac-sha256',
  secret: new Uint8Array(32).fill(0x5a),
}

export const transferSecret = Buffer.from(transferKey.secret).toString('base64')

/** Writes the key in the format of `dig -y` and of our nameserver. @returns the file. */
export function writeTransferKey(folder: string): string {
  const file = join(folder, 'transfer.key')
  writeFileSync(file, `hmac-sha256:bench-transfer:${transferSecret}\n`, { mode: 0o600 })
  return file
}
