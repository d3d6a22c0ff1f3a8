/** An Idempotency-Key that nobody else has. `randomUUID` is there on secure origins alone. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
