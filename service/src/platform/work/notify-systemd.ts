import { spawn } from 'node:child_process'

/** A third of the units' WatchdogSec. */
const aliveMs = 10_000

/**
 * Notifies systemd that this process is ready, and then every ten seconds that its main loop runs (Type=notify, WatchdogSec=). Does nothing if there
 * is no listener, as in a container.
 */
export function notifySystemd(everyMs = aliveMs): void {
  if (process.env['NOTIFY_SOCKET'] === undefined) return
  notify('READY=1')
  setInterval(() => notify('WATCHDOG=1'), everyMs).unref()
}

/**
 * Node cannot send to a datagram socket of Unix. The program waits for systemd on our behalf, up to five seconds: with --no-block it may have ended
 * before systemd looks up which unit it belongs to, and systemd then ignores its message.
 */
function notify(state: string): void {
  const sender = spawn('systemd-notify', [state], { stdio: 'ignore' })
  sender.on('error', () => undefined)
  sender.unref()
}
