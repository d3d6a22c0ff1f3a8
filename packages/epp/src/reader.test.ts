import * as libxml from 'libxml2-wasm'
import { xmlReader } from './index.ts'

/** The reader as the service and the sandbox use it. */
export const readXml = xmlReader(libxml)

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
