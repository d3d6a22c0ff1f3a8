import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadFfi } from './ffi.ts'

/**
 * Gives the memory of garbage back to the system.
 *
 * Reading a million records leaves some 90 MB that V8 would keep for days, since a nameserver allocates next to nothing
 * once it runs; transferring them leaves 450 MB. This takes about 0.1 s, in which only UDP is answered.
 */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  trimHeap()
}

/** The C library keeps freed memory as well, and gives it back when asked; others than glibc do so by themselves. */
function trimHeap(): void {
  try {
    const { functions } = loadFfi().dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } })
    functions.malloc_trim(0n)
  } catch {
    // There is no FFI, or no such function: what is kept is a tenth of the whole.
  }
}
