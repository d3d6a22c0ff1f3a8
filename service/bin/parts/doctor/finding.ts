/** The result of one check: `ok`, something that needs attention soon, or something that does not work. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'fault'
  /** What was found, in plain words. */
  readonly says: string
  /** What to do about it. */
  readonly advice?: string
}

/**
 * Maximum difference between two clocks, in seconds. Signed messages allow five minutes (RFC 8945 §10). More than a few seconds means that
 * a clock is not synchronized.
 */
export const clockDriftS = { warning: 3, fault: 120 }

export const synchronizeClocks =
  'Correct the wrong clock, and synchronize both machines with NTP (chrony, systemd-timesyncd).'

/** Why a fetch failed. The error of fetch itself says only that it has failed. */
export function whyUnreachable(error: unknown): string {
  const { cause, message } = error as Error
  return (cause as Error | undefined)?.message ?? message
}

export const ok = (says: string): Finding => ({ level: 'ok', says })
export const warning = (says: string, advice: string): Finding => ({ level: 'warning', says, advice })
export const fault = (says: string, advice: string): Finding => ({ level: 'fault', says, advice })
