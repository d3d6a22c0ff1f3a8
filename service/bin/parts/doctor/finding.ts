/** What a look at one thing found: `ok`, something to see to soon, or something that does not work. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'fault'
  /** What was found, in plain words. */
  readonly says: string
  /** What to do about it. */
  readonly advice?: string
}

/**
 * Seconds between two clocks. Signed messages allow five minutes (RFC 8945 §10). Anything beyond a few seconds is a clock that no one
 * synchronizes.
 */
export const clockDriftS = { warning: 3, fault: 120 }

export const synchronizeClocks =
  'Correct the wrong clock, and synchronize both machines with NTP (chrony, systemd-timesyncd).'

/** Why nothing could be fetched: fetch itself says only that it has failed. */
export function whyUnreachable(error: unknown): string {
  const { cause, message } = error as Error
  return (cause as Error | undefined)?.message ?? message
}

export const ok = (says: string): Finding => ({ level: 'ok', says })
export const warning = (says: string, advice: string): Finding => ({ level: 'warning', says, advice })
export const fault = (says: string, advice: string): Finding => ({ level: 'fault', says, advice })
