/** Blocks this thread, like a frozen process: nothing that was started continues in the meantime. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
