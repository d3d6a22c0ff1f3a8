import type {
  DomainChange,
  HostChange,
  Registration,
  RegistryContact,
  RegistryHost,
  Renewal,
  RestoreReport,
  TransferRequest,
} from '#ports/registry.ts'

/** A command of an order. */
export type OrderCommand =
  | { readonly command: 'contact'; readonly contact: RegistryContact; readonly authInfo: string }
  | { readonly command: 'create'; readonly registration: Registration }
  | { readonly command: 'renew'; readonly renewal: Renewal }
  | { readonly command: 'transfer'; readonly request: TransferRequest }

const domainUpdates = [
  ...(['allow_updates', 'prohibit_updates', 'lock', 'unlock'] as const),
  ...(['remove_ds', 'set_nameservers', 'set_contacts', 'set_code'] as const),
]

/** Commands that change a domain at its registry (RFC 5731 §3.2.5). */
export type DomainUpdate = (typeof domainUpdates)[number]

/** A command of a domain change. `subject`: the domain, host or contact that it is about. */
export type ChangeCommand = { readonly subject: string } & (
  | { readonly command: DomainUpdate; readonly change: DomainChange }
  | { readonly command: 'create_host'; readonly host: RegistryHost }
  | { readonly command: 'change_host'; readonly change: HostChange }
  | { readonly command: 'create_contact'; readonly contact: RegistryContact; readonly authInfo: string }
  | { readonly command: 'delete_host' | 'delete_contact' | 'approve' | 'reject' | 'restore' }
  | { readonly command: 'report_restore'; readonly report: RestoreReport }
)

/** Whether `clientUpdateProhibited` prohibits a command, except the one that removes it. */
export function isDomainUpdate(command: ChangeCommand['command']): command is DomainUpdate {
  return domainUpdates.some((each) => each === command)
}

/** A command as it is recorded: before it is sent, and again with its result. */
export interface RecordedCommand<Sent extends OrderCommand | ChangeCommand = OrderCommand | ChangeCommand> {
  readonly id: number
  readonly command: Sent['command']
  /** For a domain change: the domain, host or contact that the command is about. Otherwise null. */
  readonly subject: string | null
  /** `sending` counts as `unknown` once the sender's lease is over, because the sender is gone then. */
  readonly state: 'sending' | 'unknown' | 'pending' | 'done' | 'refused' | 'not_done'
  readonly clTrid: string
  /** By our own clock. */
  readonly sentAt: Date
  /** Seconds since it was sent. */
  readonly sentForS: number
  /** The registry's last answer to it; null and empty: there was none. */
  readonly replyCode: number | null
  readonly reply: string
  /** For an order: seconds since a lookup first found no trace of it; null: no lookup has missed it. */
  readonly missedForS: number | null
}

/** Whether the result of a command is unknown, or the registry decides later. */
export function isOpen({ state }: Pick<RecordedCommand, 'state'>): boolean {
  return state === 'sending' || state === 'unknown' || state === 'pending'
}
