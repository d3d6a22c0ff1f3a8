import { keyRoutes } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'
import { mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { readKey } from './store.ts'

export function mountKeyRoutes(server: HttpServer): void {
  mount(server, keyRoutes.currentKey, async ({ caller }) => {
    const key = caller.kind === 'key' ? await readKey(server.database.db, caller.keyId) : undefined
    if (key === undefined) throw new Refusal('not_found', 'This request was not made with a key.')
    return {
      status: 200,
      body: {
        id: key.id,
        name: key.name,
        hint: key.hint,
        zones: key.zones ?? 'all',
        permissions: key.permissions,
        expires_at: key.expiresAt?.toISOString() ?? null,
        created_at: key.createdAt.toISOString(),
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
        state: 'live',
      },
    }
  })
}
