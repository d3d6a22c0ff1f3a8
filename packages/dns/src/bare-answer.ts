import { headerBytes } from './parse-message.ts'

/**
 * The header of an answer without any section, for a query that cannot be read any further or is not proven: id, opcode
 * and RD come back. The query has a header at least.
 */
export function bareAnswer(queryWire: Uint8Array, rcode: number): Uint8Array {
  const answer = new Uint8Array(headerBytes)
  answer.set(queryWire.subarray(0, 2))
  answer[2] = 0x80 | ((queryWire[2] ?? 0) & 0x79)
  answer[3] = rcode
  return answer
}
