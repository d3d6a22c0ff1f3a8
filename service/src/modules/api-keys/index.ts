export { keyAuthentication } from './authenticate.ts'
export { createKey, type NewKey, revokeKeyNamed } from './create-key.ts'
export { mountKeyRoutes } from './routes.ts'
export { type KeyExpiry, keyExpiries } from './rules.ts'
