/** This thread stands still, as a frozen process does: nothing that was begun goes on meanwhile. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
