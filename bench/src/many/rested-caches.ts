import { randomInt } from 'node:crypto'
import { median } from '../report.ts'
import { evenly } from './evenly.ts'

/** Far less than a core's own cache holds: whoever reads it again at once finds all of it there. */
const kibibytes = 256
const line = 64
const lines = (kibibytes * 1024) / line

/**
 * Milliseconds to read 256 KiB that have rested, so many times a second (p50): the floor beneath whatever a program does once it was
 * woken. How long that is at one rate beside another tells what the machine takes from a program that rests.
 */
export async function restedCaches(rate: number, seconds: number): Promise<number> {
  const chain = scatteredChain()
  const took: number[] = []
  for await (const _ of evenly(rate, seconds)) {
    const beforeMs = performance.now()
    read(chain)
    took.push(performance.now() - beforeMs)
  }
  return median(took)
}

/** One cycle through all lines, in an order that no processor guesses: at each line's first word is where the next one begins. */
function scatteredChain(): Int32Array {
  const words = line / Int32Array.BYTES_PER_ELEMENT
  const order = Array.from({ length: lines }, (_, i) => i)
  for (let i = lines - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    const [a = 0, b = 0] = [order[i], order[j]]
    order[i] = b
    order[j] = a
  }
  const chain = new Int32Array(lines * words)
  for (const [i, at] of order.entries()) chain[at * words] = (order[(i + 1) % lines] ?? 0) * words
  return chain
}

function read(chain: Int32Array): void {
  let at = 0
  for (let i = 0; i < lines; i++) at = chain[at] ?? 0
  if (chain[at] === undefined) throw new Error('the chain has an end')
}
