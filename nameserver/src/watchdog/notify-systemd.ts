import { spawn } from 'node:child_process'
import { loadFfi } from '../ffi.ts'

/** A third of the unit's WatchdogSec. */
const aliveMs = 10_000

const unixSocket = { family: 1, datagram: 2, closeOnExec: 0o2000000, dontWait: 0x40, noSignal: 0x4000 }

/**
 * Notifies systemd that this process is ready, and then every ten seconds that its main loop runs (Type=notify, WatchdogSec=). Does nothing if there
 * is no listener, as in a container.
 */
export function notifySystemd(everyMs = aliveMs): void {
  const path = process.env['NOTIFY_SOCKET']
  if (path === undefined) return
  const notify = openNotify(path) ?? notifyByProgram
  notify('READY=1')
  setInterval(() => notify('WATCHDOG=1'), everyMs).unref()
}

/** Node itself cannot send to a Unix datagram socket. Undefined if there is no FFI. */
function openNotify(path: string): ((state: string) => void) | undefined {
  if (process.platform !== 'linux' || process.arch === 'ia32') return undefined
  try {
    const ffi = loadFfi()
    const { functions } = ffi.dlopen(null, {
      socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
      sendto: { arguments: ['i32', 'u64', 'u64', 'i32', 'u64', 'u32'], return: 'i64' },
    })
    const socket = functions.socket(unixSocket.family, unixSocket.datagram | unixSocket.closeOnExec, 0)
    if (socket < 0) return undefined
    const address = addressOf(path)
    return (state) => {
      const text = new Uint8Array(Buffer.from(state))
      const flags = unixSocket.dontWait | unixSocket.noSignal
      const [from, to] = [ffi.getRawPointer(text.buffer), ffi.getRawPointer(address.buffer as ArrayBuffer)]
      functions.sendto(socket, from, BigInt(text.length), flags, to, address.length)
    }
  } catch {
    return undefined
  }
}

/** A sockaddr_un. The path of an abstract socket begins with @, which represents a zero byte. */
function addressOf(path: string): Uint8Array {
  const name = Buffer.from(path.replace(/^@/, '\0'))
  const address = new Uint8Array(2 + name.length + (path.startsWith('@') ? 0 : 1))
  address[0] = unixSocket.family
  address.set(name, 2)
  return address
}

function notifyByProgram(state: string): void {
  const sender = spawn('systemd-notify', [state], { stdio: 'ignore' })
  sender.on('error', () => undefined)
  sender.unref()
}
