/**
 * Registries, as a registrar uses them. The terms are those of EPP (RFC 5730–5733): the sponsor of a domain is its
 * registrar, and its authInfo is the transfer code.
 *
 * What every caller must know:
 * - Nothing here rejects. The outcome of a command is a value, and one of them is `unknown`: look it up, never repeat blindly.
 * - The caller of a transform command provides the clTRID and has stored it before. After a crash, a poll message about a pending
 *   action is recognized by it. Registries do not refuse a clTRID that they have seen, so it prevents no repeat.
 * - Names are lower-case A-labels without a trailing dot, including host names. Times are the registry's own.
 */
export interface Registries {
  /** Every registry at which we have an account. */
  readonly all: readonly Registry[]
  /** The registry in which a name would be registered: the one with the longest TLD above the name. */
  registryOf(domain: string): Registry | undefined
  /** Ends all sessions, after the commands in progress or some seconds, whichever comes first. */
  close(): Promise<void>
}

/** Whether two ids of a registrar or a contact are the same. Registries may return an id in another letter case. */
export function sameId(one: string, other: string | null): boolean {
  return one.toUpperCase() === other?.toUpperCase()
}

/**
 * How long a worker holds an order or a domain change, in seconds; if it dies, others take over after that. Longer than any
 * wait for a registry, because another worker would otherwise repeat a command that is still in flight.
 */
export const workLeaseS = 120

/** One registry and our account with it. */
export interface Registry {
  /** Its name in the configuration. */
  readonly id: string
  /** Our id there: a domain with this `sponsor` is ours (`sameId`). */
  readonly registrarId: string
  /** Without leading dots: `test`, `com.test`. */
  readonly tlds: readonly string[]
  readonly domains: RegistryDomains
  readonly contacts: RegistryContacts
  readonly hosts: RegistryHosts
  readonly messages: RegistryMessages
}

export interface RegistryDomains {
  /** Whether names can be registered, in the order of the request, with the fees for this number of years if the registry gives any. */
  check(names: readonly string[], years?: number): Promise<Reading<readonly DomainCheck[]>>
  /**
   * The registry's data about a domain. Refused with 2303: it does not have the name.
   *
   * For another registrar's domain it returns little: `sponsor` is always there, the rest may be empty. A right `authInfo`
   * gives access, a wrong one is refused with 2202.
   */
  info(domain: string, authInfo?: string): Promise<Reading<DomainInfo>>
  /**
   * Registers a domain. 2302: it is taken, perhaps by an earlier attempt of ours, so look it up. 2306 or 2308: the registry's
   * policy refuses it.
   *
   * Nameservers that the registry does not know as hosts are created first; if that gets no answer, the
   * registration is `not_sent`. A host below a TLD of the same registry needs addresses: create it with `hosts.create`, otherwise the result is 2303.
   */
  create(registration: Registration, clTrid: string): Promise<Outcome<Registered>>
  /**
   * Renews a domain. `expiresAt` is the expiry that the caller has read, and makes a second renewal impossible: if it is
   * not the registry's current one, the command is refused with 2306 (by some registries 2304 or 2308). So keep it for repeats.
   */
  renew(renewal: Renewal, clTrid: string): Promise<Outcome<Renewed>>
  /** The state of the latest transfer, in or out. 2301: none is in progress (some registries do not show completed ones). */
  queryTransfer(domain: string): Promise<Reading<Transfer>>
  /**
   * Requests another registrar's domain. Usually `pending` for five days, then approved by the registry; `done` if the
   * registry transfers immediately. 2202: wrong transfer code. 2304: locked. 2300: a transfer is already in progress. 2106: the domain is too
   * new, or was just transferred.
   */
  requestTransfer(request: TransferRequest, clTrid: string): Promise<Outcome<Transfer>>
  /** Approves the transfer of a domain of ours. 2301: no transfer is in progress. */
  approveTransfer(domain: string, clTrid: string): Promise<Outcome<Transfer>>
  /** Rejects the transfer of a domain of ours. 2301: no transfer is in progress. */
  rejectTransfer(domain: string, clTrid: string): Promise<Outcome<Transfer>>
  /** Cancels our own request. 2301: no transfer is in progress. */
  cancelTransfer(domain: string, clTrid: string): Promise<Outcome<Transfer>>
  /**
   * Changes a domain of ours. Most registries refuse to add what exists or to remove what does not (2306, 2303): call
   * `info` first. While `clientUpdateProhibited` is set, only its removal is accepted (2304), and everything else in the same
   * command is refused with it: unlock, change and lock are three commands. Nameservers as in `create`.
   */
  update(domain: string, change: DomainChange, clTrid: string): Promise<Outcome<null>>
  /** Deletes a domain: permanently within the add period; later it can be restored for about 30 days. 2304: locked. 2305: hosts below it serve others. */
  delete(domain: string, clTrid: string): Promise<Outcome<null>>
  /**
   * Requests the restore of a deleted domain in its redemption period (RFC 3915). 2304: it is not in that period. If the
   * registry requires a report within some days, the grace statuses then have `pendingRestore`.
   */
  restore(domain: string, clTrid: string): Promise<Outcome<null>>
  /** The report that completes a restore. Without it, the domain returns to its redemption period. */
  reportRestore(domain: string, report: RestoreReport, clTrid: string): Promise<Outcome<null>>
}

export interface RegistryContacts {
  /** 2302: the id is taken; if the caller chose it randomly, by its own earlier attempt. 2003: the registry requires more fields. */
  create(contact: RegistryContact, authInfo: string, clTrid: string): Promise<Outcome<null>>
  /** 2303: it does not exist. */
  info(id: string): Promise<Reading<ContactInfo>>
  /** Replaces everything except the id. */
  update(contact: RegistryContact, clTrid: string): Promise<Outcome<null>>
  /** 2305: a domain still uses it. */
  delete(id: string, clTrid: string): Promise<Outcome<null>>
}

/** Hosts: nameservers as objects of the registry. Only hosts below the registry's own domains have addresses (glue). */
export interface RegistryHosts {
  /** 2302: it already exists. 2303 or 2201: the domain above it does not exist, or is another registrar's. */
  create(host: RegistryHost, clTrid: string): Promise<Outcome<null>>
  /** 2303: it does not exist. */
  info(name: string): Promise<Reading<HostInfo>>
  update(name: string, change: HostChange, clTrid: string): Promise<Outcome<null>>
  /** 2305: domains still have it as a nameserver. */
  delete(name: string, clTrid: string): Promise<Outcome<null>>
}

/** The registry's messages to us: one queue for all our sessions and processes. */
export interface RegistryMessages {
  /** The oldest message; null: there is none. It stays the oldest until it is acknowledged. */
  next(): Promise<Reading<RegistryMessage | null>>
  /** Removes a message from the queue. 2303: it was already removed. */
  acknowledge(id: string): Promise<Reading<null>>
  /**
   * Passes messages to `take` one after the other as long as it runs, and acknowledges each once `take` has resolved: commit
   * inside it. A message that it rejects stays and is delivered again, and so is every message after a crash. Another process may get it
   * at the same time: processing one twice must have no further effect.
   */
  listen(take: (message: RegistryMessage) => Promise<void>): RegistryListener
}

export interface RegistryListener {
  /** Seconds for which the registry has not answered, or has not let us log in; messages are polled all the time. 0 while it answers. */
  awayForS(): number
  /** Resolves once no message is being processed any longer. */
  close(): Promise<void>
}

/** The outcome of a query. */
export type Reading<T> = Done<T> | Refused | Fault | NotSent | Unknown

/** The outcome of a transform command. */
export type Outcome<T> = Reading<T> | Pending<T>

/** The registry's reply, for the log of operations and for `last_error`. */
export interface RegistryReply {
  /** RFC 5730 §3. */
  readonly code: number
  /** The registry's own text, with its reasons; in English if it has English. */
  readonly message: string
  /** The registry's id of the transaction, which its support asks for. Empty if it gave none. */
  readonly svTrid: string
}

/** The command was carried out: 1000, 1300, 1301, 1500. */
export interface Done<T> {
  readonly kind: 'done'
  readonly value: T
  readonly reply: RegistryReply
}

/** The registry has accepted the command and will report its decision in a message (1001). `value` is what it already says. */
export interface Pending<T> {
  readonly kind: 'pending'
  readonly value: T | null
  readonly reply: RegistryReply
}

/** The registry refuses, for a reason in the name, the customer's data or the object's state. There was no effect. */
export interface Refused {
  readonly kind: 'refused'
  readonly reply: RegistryReply
}

/** Not the customer's fault: wait and alert. There was no effect. */
export interface Fault {
  readonly kind: 'fault'
  /** balance: our account there is empty (2104) · login: it does not let us log in · protocol: it does not understand or support the command. */
  readonly fault: 'balance' | 'login' | 'protocol'
  readonly reply: RegistryReply
}

/** There was no free session, so nothing was written: it may be sent again immediately, as the same attempt. */
export interface NotSent {
  readonly kind: 'not_sent'
  /** For the log. */
  readonly why: string
}

/**
 * It is unknown whether the command was carried out: no answer, an unreadable one, or 24xx and 25xx. The connection was closed
 * before this was returned.
 */
export interface Unknown {
  readonly kind: 'unknown'
  /** For the log. */
  readonly why: string
  readonly reply: RegistryReply | null
}

/** An amount as registries write it: `12.50` and an ISO 4217 code. Decimal text, so that nothing is rounded. */
export interface Money {
  readonly amount: string
  readonly currency: string
}

export interface DomainCheck {
  readonly name: string
  readonly isAvailable: boolean
  /** Why not, in the registry's words; null if it is available or the registry gives no reason. */
  readonly reason: string | null
  /**
   * Which commands have a special price for this name: `fees` must then be sent with them. If the registry gives no prices for
   * a name, all of them, and no fees.
   */
  readonly isPremium: {
    readonly create: boolean
    readonly renew: boolean
    readonly transfer: boolean
  }
  /** Our cost for the requested years; null: the registry gave none. */
  readonly fees: {
    readonly create: Money | null
    readonly renew: Money | null
    readonly transfer: Money | null
    readonly restore: Money | null
  }
}

export interface DomainInfo {
  readonly name: string
  /** The registry's id of the object; a domain that is deleted and registered again has another. */
  readonly roid: string
  /** RFC 5731 §2.3, such as `ok`, `inactive`, `clientTransferProhibited`, `pendingTransfer`. */
  readonly statuses: readonly string[]
  /** RFC 3915 §3.1, such as `addPeriod`, `redemptionPeriod`, `pendingRestore`. */
  readonly graceStatuses: readonly string[]
  /** The contact id of the registrant; null if the registry has or shows none. */
  readonly registrant: string | null
  readonly contacts: readonly DomainContact[]
  /** Sorted. */
  readonly nameservers: readonly string[]
  /** The hosts below it, sorted. */
  readonly subordinateHosts: readonly string[]
  /** A validating resolver requires signatures: the domain has DS records or, at some registries, the keys for them. */
  readonly isSigned: boolean
  readonly dsRecords: readonly DsRecord[]
  /** Its registrar: ours if it is `registrarId` (`sameId`). */
  readonly sponsor: string
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
  readonly expiresAt: Date | null
  readonly transferredAt: Date | null
  /** The transfer code, if the registry still shows it to the sponsor; many store only a hash. */
  readonly authInfo: string | null
}

export interface DomainContact {
  readonly type: 'admin' | 'tech' | 'billing'
  readonly id: string
}

/** RFC 5910 §4.1; `digest` in hexadecimal, upper-case. */
export interface DsRecord {
  readonly keyTag: number
  readonly algorithm: number
  readonly digestType: number
  readonly digest: string
}

export interface Registration {
  readonly name: string
  readonly years: number
  readonly registrant: string
  readonly contacts: readonly DomainContact[]
  readonly nameservers: readonly string[]
  /** The transfer code: all registries accept 8 to 32 characters. The same in every attempt. */
  readonly authInfo: string
  /** For a premium name, the fee that `check` returned. The registry refuses any other amount (2004), or none (2003). */
  readonly fee?: Money
}

export interface Registered {
  readonly name: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly charged: Charged
}

export interface Renewal {
  readonly name: string
  readonly expiresAt: Date
  readonly years: number
  readonly fee?: Money
}

export interface Renewed {
  readonly name: string
  readonly expiresAt: Date | null
  readonly charged: Charged
}

/** Our cost for a command and the balance of our account, if the registry gives them. */
export interface Charged {
  readonly fee: Money | null
  readonly balance: Money | null
}

export interface TransferRequest {
  readonly name: string
  readonly authInfo: string
  /** Number of years that the transfer adds; if left out, the registry's default: mostly one year, at some none. */
  readonly years?: number
  readonly fee?: Money
}

/** RFC 5731 §3.1.3. */
export interface Transfer {
  readonly name: string
  readonly status: TransferStatus
  /** The registrar who requested it: ours for a transfer in. */
  readonly requestedBy: string
  readonly requestedAt: Date
  /** The registrar who must act, or has acted. */
  readonly actor: string
  /** The deadline for acting, or when it acted. */
  readonly actBy: Date
  /** The expiry of the domain after the transfer, if the registry gives it. */
  readonly expiresAt: Date | null
}

export type TransferStatus =
  | 'pending'
  | 'clientApproved'
  | 'clientRejected'
  | 'clientCancelled'
  | 'serverApproved'
  | 'serverCancelled'

/** The changes of a domain. Missing members stay unchanged. */
export interface DomainChange {
  readonly nameservers?: Difference<string>
  /** Statuses that begin with `client`; the others are the registry's. */
  readonly statuses?: Difference<ClientStatus>
  readonly contacts?: Difference<DomainContact>
  /** `none`: removes all, and the keys that a registry has in place of them. */
  readonly dsRecords?: Difference<DsRecord> | 'none'
  readonly registrant?: string
  /** The new transfer code. */
  readonly authInfo?: string
}

export interface Difference<T> {
  readonly add: readonly T[]
  readonly remove: readonly T[]
}

export type ClientStatus =
  | 'clientDeleteProhibited'
  | 'clientHold'
  | 'clientRenewProhibited'
  | 'clientTransferProhibited'
  | 'clientUpdateProhibited'

/** RFC 3915 §4.2.5: what the registry requires before it completes a restore. */
export interface RestoreReport {
  /** The registration before the deletion and as restored, as free text. */
  readonly before: string
  readonly after: string
  readonly deletedAt: Date
  readonly restoredAt: Date
  readonly reason: string
  /** We declare both: that the restore is for the registrant, and that the report is true. */
  readonly statements: readonly [string, string]
}

export interface RegistryContact {
  /** 3 to 16 characters, chosen by the caller and stored before: registries have one namespace for all registrars. */
  readonly id: string
  readonly name: string
  readonly organization: string
  /** One to three lines. */
  readonly street: readonly string[]
  readonly city: string
  readonly state: string
  readonly postalCode: string
  /** ISO 3166-1, two letters. */
  readonly country: string
  /** `+234.8012345678`: the country's code, a dot, the rest (RFC 5733 §2.5). */
  readonly phone: string
  /** Digits; empty: none. */
  readonly phoneExtension: string
  readonly email: string
}

export interface ContactInfo extends RegistryContact {
  readonly roid: string
  readonly statuses: readonly string[]
  readonly sponsor: string
}

export interface RegistryHost {
  readonly name: string
  /** IPv4 and IPv6; none for a host outside the registry. */
  readonly addresses: readonly string[]
}

export interface HostInfo extends RegistryHost {
  readonly roid: string
  readonly statuses: readonly string[]
  readonly sponsor: string
}

export interface HostChange {
  readonly addresses: Difference<string>
}

export interface RegistryMessage {
  readonly id: string
  readonly queuedAt: Date | null
  readonly text: string
  readonly news: RegistryNews
}

/**
 * What a message is about, if the registry says it in a readable form. Treat it as a hint and call `info`: a message
 * describes the past, not the current state.
 */
export type RegistryNews =
  /** A transfer, in or out, was requested or has ended. */
  | { readonly kind: 'transfer'; readonly transfer: Transfer }
  /** A `pending` command was decided. `clTrid` is that of the command. */
  | {
      readonly kind: 'decided'
      readonly domain: string
      readonly wasDone: boolean
      readonly clTrid: string | null
      readonly at: Date
    }
  /** A domain was renewed, deleted or changed by the registry. */
  | { readonly kind: 'domain'; readonly info: DomainInfo }
  /** Anything else, such as a low balance: a person reads `text`. `unread`: why the rest of the message cannot be read. */
  | { readonly kind: 'other'; readonly unread?: string }

/** The domain that news is about; undefined: none, or not in a readable form. */
export function domainIn(news: RegistryNews): string | undefined {
  if (news.kind === 'transfer') return news.transfer.name
  if (news.kind === 'decided') return news.domain
  return news.kind === 'domain' ? news.info.name : undefined
}
