import { displayText, type WireApiKey } from '@zonewright/contract'
import type { Auth } from '#modules/accounts/index.ts'
import type { ToldKey } from '#modules/mail/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { tsigNameOf } from './create-tsig.ts'
import type { KeyDetails } from './store.ts'

/** Dependencies of the key routes on other modules. */
export interface KeyRoutesContext {
  readonly codes: Auth['codes']
  readonly secrets: SecretBox
  /** The address of the dashboard, for the emails about keys. */
  readonly site: string
  /** The address of the DNS door, for the configurations of clients. */
  readonly door: { readonly host: string; readonly port: number }
}

/** The key as emails show it. */
export function toldOf(key: KeyDetails): ToldKey {
  return { ...key, zones: key.zones ?? 'all' }
}

export function keyToWire(key: KeyDetails): WireApiKey {
  return {
    id: key.id,
    name: displayText(key.name),
    hint: key.hint,
    zones: key.zones ?? 'all',
    permissions: key.permissions,
    limits: key.limits,
    addresses: key.addresses,
    tsig: key.tsigAt && { name: tsigNameOf(key.id), created_at: key.tsigAt.toISOString() },
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    state: key.state,
  }
}
