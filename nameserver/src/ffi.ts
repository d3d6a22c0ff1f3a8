/**
 * Node's interface for calling C functions, without its warning that it is experimental, because standard error is for JSON lines. @throws Error if
 * Node does not have it
 */
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
