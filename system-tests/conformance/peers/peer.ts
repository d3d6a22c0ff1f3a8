import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { askUdp, eventually } from '../../world/index.ts'

/** Where another nameserver runs in a test, and which primary it follows. Addresses are host:port. */
export interface Site {
  /** An empty folder of its own. */
  readonly folder: string
  readonly listen: string
  readonly primary: string
  /** Another primary, at another address of this machine. */
  readonly standby: string
  /** The transfer key's secret, in base64. */
  readonly secret: string
}

/** A third-party nameserver as a secondary of our primary. */
export interface Secondary {
  readonly name: string
  /** Starts it with the configuration from the operators' page. */
  start(site: Site): Promise<Running>
  /** Whether its log shows that it applied a difference of a zone; undefined if it only transfers whole zones. */
  readonly tookDifference: ((said: string, zone: string) => boolean) | undefined
}

/** A third-party nameserver as the primary of ours, with one zone in its catalog. */
export interface Primary {
  readonly name: string
  /** Starts it at `listen` with the zone `example.com` in the file given; `nameserver` gets the NOTIFY messages. */
  start(
    site: Omit<Site, 'primary' | 'standby'> & { readonly nameserver: string; readonly zoneFile: string },
  ): Promise<RunningPrimary>
}

export interface RunningPrimary extends Running {
  /** Adds an address record. */
  addAddress(name: string, address: string): void
  /** Takes the zone out of the catalog. */
  unlist(): void
}

export interface Running {
  readonly pid: number
  /** All of its output. */
  said(): string
  /** Informs a nameserver without catalog support of an added or removed zone. */
  readonly list?: { add(zone: string): void; remove(zone: string): void }
  stop(): Promise<void>
}

/** Starts a nameserver and waits until it responds. If it exits instead, throws with its output. */
export async function runPeer(
  command: string,
  args: readonly string[],
  listen: string,
  timeoutMs?: number,
): Promise<Running> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  child.once('exit', () => process.off('exit', killed))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  let fault: Error | undefined
  child.once('error', (error) => {
    fault = error
  })
  try {
    const answers = async (): Promise<boolean> => {
      if (fault !== undefined || child.exitCode !== null) throw new Error(`${command} ended: ${fault ?? ''}\n${said}`)
      return (await askUdp(listen, 'catalog.zonewright.invalid', 'SOA')).rcode !== ''
    }
    await eventually(`${command} answers at ${listen}`, answers, timeoutMs)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return { pid: child.pid ?? 0, said: () => said, stop: () => stopped(child) }
}

/** Ends a program, by force after ten seconds. */
export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

/** Whether a transfer was smaller than an earlier one, according to the sizes in a log. If a zone only grows, such a transfer is a difference. */
export function shrank(said: string, size: RegExp): boolean {
  const sizes = [...said.matchAll(size)].map(([, digits]) => Number(digits))
  return sizes.some((bytes, i) => bytes < Math.max(0, ...sizes.slice(0, i)))
}

export function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'))
}

export function portOf(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1)
}

/** The lower middle one of some figures: the machine may have been busy for a moment. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[(figures.length - 1) >> 1] ?? Number.NaN
}
