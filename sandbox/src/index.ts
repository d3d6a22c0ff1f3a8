export { type Authority, type Certificate, createAuthority } from './certificates.ts'
export type { Behaviour } from './receiver/behaviour.ts'
export type { Inbox, Received } from './receiver/inbox.ts'
export { type Receiver, type ReceiverOptions, startReceiver } from './receiver/start-receiver.ts'
