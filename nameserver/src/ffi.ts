/** Node's way to call C, without the warning that it is experimental: standard error is for JSON lines. @throws Error without it */
export function loadFfi(): typeof import('node:ffi') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const ffi = process.getBuiltinModule('node:ffi') as typeof import('node:ffi') | undefined
    if (ffi === undefined) throw new Error('this Node.js has no node:ffi')
    return ffi
  } finally {
    process.emitWarning = emitWarning
  }
}
