/** How the card gateway is reached. */
export interface PaymentsSetting {
  readonly url: string
  readonly secretKey: string
  /** The gateway of the sandbox, with which no one pays real money. */
  readonly isSandbox: boolean
}

/**
 * Reads PAYMENTS: `sandbox` (PAYSTACK_URL, else the documented address; `keptKey` is what both sides share) or `paystack`, which needs
 * PAYSTACK_SECRET_KEY. Throws an error that says what is wrong and never quotes the key.
 */
export function paymentsSetting(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  keptKey: () => string,
): PaymentsSetting {
  const url = (fallback: string): string => {
    const given = env['PAYSTACK_URL'] ?? fallback
    if (!/^https?:/.test(given) || !URL.canParse(given)) throw new Error('PAYSTACK_URL is not an http or https URL')
    return given.replace(/\/$/, '')
  }
  if (text === 'sandbox')
    return { url: url('http://127.0.0.1:8084'), secretKey: env['PAYSTACK_SECRET_KEY'] ?? keptKey(), isSandbox: true }
  if (text !== 'paystack') throw new Error(`${JSON.stringify(text)} is neither sandbox nor paystack`)
  const secretKey = env['PAYSTACK_SECRET_KEY'] ?? ''
  if (!/^sk_(live|test)_\S+$/.test(secretKey))
    throw new Error('paystack needs PAYSTACK_SECRET_KEY, which begins with sk_live_ or sk_test_')
  return { url: url('https://api.paystack.co'), secretKey, isSandbox: false }
}
