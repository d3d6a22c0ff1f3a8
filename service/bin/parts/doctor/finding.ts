/** What a look at one thing found: `ok`, something to see to soon, or something that does not work. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'fault'
  /** What was found, in plain words. */
  readonly says: string
  /** What to do about it. */
  readonly advice?: string
}

/** Why nothing could be fetched: fetch itself says only that it has failed. */
export function whyUnreachable(error: unknown): string {
  const { cause, message } = error as Error
  return (cause as Error | undefined)?.message ?? message
}

export const ok = (says: string): Finding => ({ level: 'ok', says })
export const warning = (says: string, advice: string): Finding => ({ level: 'warning', says, advice })
export const fault = (says: string, advice: string): Finding => ({ level: 'fault', says, advice })
