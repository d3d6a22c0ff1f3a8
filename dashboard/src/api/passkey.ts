import { ApiFailure } from './failure.ts'

/** The answer to the service's challenge at sign-in, in base64url. */
export interface PasskeyAnswer {
  readonly id: string
  readonly client_data: string
  readonly authenticator_data: string
  readonly signature: string
}

/** Whether this browser has passkeys for this page. Unencrypted pages have none, except on this machine. Pages of an IP address have none either. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(location.hostname)
}

/** How long the browser waits for the person. The service's challenge lasts as long. */
export const timeoutMs = 300_000

/** Lets the person choose a passkey of this site, and sign with it. Throws ApiFailure `passkey_stopped`. */
export async function signWithPasskey(options: {
  readonly challenge: string
  readonly rp_id: string
}): Promise<PasskeyAnswer> {
  const credential = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: bytesOf(options.challenge),
        rpId: options.rp_id,
        userVerification: 'required',
        timeout: timeoutMs,
      },
    }),
  )
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    id: textOf(credential.rawId),
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  }
}

export async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask()
    if (credential !== null) return credential as PublicKeyCredential
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw stopped('This device already has a passkey of your account. Choose another device.')
    if (error instanceof DOMException && error.name === 'SecurityError')
      throw stopped('The browser allows no passkeys at this address. Open the service at its usual address.')
  }
  throw stopped('No passkey was chosen, or it took too long. Try again, or use your password.')
}

/** The browser gave no passkey. The sentence says what to do. */
function stopped(sentence: string): ApiFailure {
  return new ApiFailure('passkey_stopped', sentence)
}

export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

export function textOf(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
