import { asked, bytesOf, textOf, timeoutMs } from './passkey.ts'

/** The answer to the service's options for a new passkey, in base64url. */
export interface NewPasskeyAnswer {
  readonly id: string
  readonly client_data: string
  readonly authenticator_data: string
  readonly transports: string[]
}

/** Lets the browser create a passkey. The person confirms it with a PIN, a finger or a face. Throws ApiFailure `passkey_stopped`. */
export async function createPasskey(options: {
  readonly challenge: string
  readonly rp_id: string
  readonly user_id: string
  readonly user_name: string
  readonly algorithms: readonly number[]
  readonly exclude: readonly string[]
  /** The name of the service. */
  readonly service: string
}): Promise<NewPasskeyAnswer> {
  const credential = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(options.challenge),
        rp: { id: options.rp_id, name: options.service },
        user: { id: bytesOf(options.user_id), name: options.user_name, displayName: options.user_name },
        pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: options.exclude.map((id) => ({ type: 'public-key', id: bytesOf(id) })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        timeout: timeoutMs,
      },
    }),
  )
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    id: textOf(credential.rawId),
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.getAuthenticatorData()),
    transports: response.getTransports(),
  }
}
