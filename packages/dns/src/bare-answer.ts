import { headerBytes } from './parse-message.ts'

/**
 * A response that is only a header, for a query that cannot be parsed further or is not authenticated. It repeats the id, the opcode and RD. The
 * query must have at least a header.
 */
export function bareAnswer(queryWire: Uint8Array, rcode: number): Uint8Array {
  const answer = new Uint8Array(headerBytes)
  answer.set(queryWire.subarray(0, 2))
  answer[2] = 0x80 | ((queryWire[2] ?? 0) & 0x79)
  answer[3] = rcode
  return answer
}
