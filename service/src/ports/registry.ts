/**
 * Registries, as a registrar sees them. The words are those of EPP (RFC 5730–5733): the sponsor of a domain is the
 * registrar it is with, its registrant is who has it, its authInfo is the transfer code.
 *
 * What every caller must know:
 * - Nothing here rejects. What came of a command is a value, and `unknown` is one of them: look, never send again blindly.
 * - Whoever transforms something gives the clTRID and has stored it before: it is how a poll message about a pending
 *   action is recognised after a crash. Registries do not refuse a clTRID that they have seen, so it prevents no repeat.
 * - Names are lower-case A-labels without a trailing dot, of hosts too. Times are the registry's own.
 */
export interface Registries {
  /** Every registry that we have an account with. */
  readonly all: readonly Registry[]
  /** The registry in which a name would be registered: the one with the longest TLD that the name is below. */
  registryOf(domain: string): Registry | undefined
  /** Ends all sessions, after the commands under way or some seconds, whichever is sooner. */
  close(): Promise<void>
}

/** Is it the same id, of a registrar or a contact? Registries may write one in another letter case than it was told in. */
export function sameId(one: string, other: string | null): boolean {
  return one.toUpperCase() === other?.toUpperCase()
}

/**
 * A worker has an order, or a change of a domain, for so long, in seconds; one that dies leaves it to others then. Longer than any
 * registry is waited for: a command that is still on its way then another worker would send again.
 */
export const workLeaseS = 120

/** One registry and our account with it. */
export interface Registry {
  /** What the configuration calls it. */
  readonly id: string
  /** Who we are there: a domain whose `sponsor` is this is ours (`sameId`). */
  readonly registrarId: string
  /** Without dots in front: `test`, `com.test`. */
  readonly tlds: readonly string[]
  readonly domains: RegistryDomains
  readonly contacts: RegistryContacts
  readonly hosts: RegistryHosts
  readonly messages: RegistryMessages
}

export interface RegistryDomains {
  /** Whether names can be registered, in the order asked, with the fees of so many years where the registry tells any. */
  check(names: readonly string[], years?: number): Promise<Reading<readonly DomainCheck[]>>
  /**
   * What the registry has about a domain. Refused with 2303: it has none of that name.
   *
   * Of a domain that is another's it tells little: `sponsor` is always there, the rest may be empty. A right `authInfo`
   * opens it, a wrong one is refused with 2202.
   */
  info(domain: string, authInfo?: string): Promise<Reading<DomainInfo>>
  /**
   * Registers a domain. 2302: it is taken, perhaps by an earlier attempt of ours, so look. 2306 or 2308: the registry's
   * policy refuses it.
   *
   * Nameservers that the registry does not know as hosts are made there first; when that gets no answer the
   * registration was `not_sent`. A host below a TLD of the same registry needs addresses: make it with `hosts.create`, or this is 2303.
   */
  create(registration: Registration, clTrid: string): Promise<Outcome<Registered>>
  /**
   * Renews a domain. `expiresAt` is the expiry that the caller has seen, and makes a second renewal impossible: one that is
   * not the registry's any more is refused with 2306 (by some registries 2304 or 2308). So keep it over repeats.
   */
  renew(renewal: Renewal, clTrid: string): Promise<Outcome<Renewed>>
  /** The way of a transfer, in or out: the latest one. 2301: there is none under way (some registries tell none that is over). */
  queryTransfer(domain: string, authInfo?: string): Promise<Reading<Transfer>>
  /**
   * Asks for a domain that is another's. Usually `pending` for five days, then approved by the registry; `done` where the
   * registry transfers at once. 2202: wrong transfer code. 2304: locked. 2300: a transfer is under way already. 2106: too
   * new, or it has just been transferred.
   */
  requestTransfer(request: TransferRequest, clTrid: string): Promise<Outcome<Transfer>>
  /** Lets a domain of ours go. 2301: no transfer is under way. */
  approveTransfer(domain: string, clTrid: string): Promise<Outcome<Transfer>>
  /** Keeps a domain of ours. 2301: no transfer is under way. */
  rejectTransfer(domain: string, clTrid: string): Promise<Outcome<Transfer>>
  /** Takes our own request back. 2301: no transfer is under way. */
  cancelTransfer(domain: string, clTrid: string): Promise<Outcome<Transfer>>
  /**
   * Changes a domain of ours. Adding what is there or removing what is not is refused by most registries (2306, 2303): take
   * `info` first. While `clientUpdateProhibited` is set nothing but its removal is taken (2304), and what else the same
   * command asks for is refused with it: unlock, change, and lock are three commands. Nameservers as in `create`.
   */
  update(domain: string, change: DomainChange, clTrid: string): Promise<Outcome<null>>
  /** Deletes a domain: within the add period for good, later it can be restored for some 30 days. 2304: locked. 2305: hosts below it serve others. */
  delete(domain: string, clTrid: string): Promise<Outcome<null>>
  /**
   * Asks for a deleted domain in its redemption period back (RFC 3915). 2304: it is not, or no more. What it cost is
   * asked with `check`. Its grace statuses then have `pendingRestore` where the registry wants a report within some days.
   */
  restore(domain: string, clTrid: string, fee?: Money): Promise<Outcome<null>>
  /** The report that completes a restore. Without it the domain goes back to its redemption period. */
  reportRestore(domain: string, report: RestoreReport, clTrid: string): Promise<Outcome<null>>
}

export interface RegistryContacts {
  /** 2302: the id is taken; when the caller drew it at random, by its own earlier attempt. 2003: the registry wants more of a contact. */
  create(contact: RegistryContact, authInfo: string, clTrid: string): Promise<Outcome<null>>
  /** 2303: there is none. */
  info(id: string): Promise<Reading<ContactInfo>>
  /** Replaces all but the id. */
  update(contact: RegistryContact, clTrid: string): Promise<Outcome<null>>
  /** 2305: a domain still has it. */
  delete(id: string, clTrid: string): Promise<Outcome<null>>
}

/** Hosts: nameservers as the registry knows them. Addresses (glue) belong to those below domains of the registry alone. */
export interface RegistryHosts {
  /** 2302: it is there already. 2303 or 2201: the domain above it is nobody's, or another's. */
  create(host: RegistryHost, clTrid: string): Promise<Outcome<null>>
  /** 2303: there is none. */
  info(name: string): Promise<Reading<HostInfo>>
  update(name: string, change: HostChange, clTrid: string): Promise<Outcome<null>>
  /** 2305: domains still have it as a nameserver. */
  delete(name: string, clTrid: string): Promise<Outcome<null>>
}

/** What the registry has to tell us: one queue for all our sessions and processes. */
export interface RegistryMessages {
  /** The oldest message; null: none waits. It stays the oldest until it is acknowledged. */
  next(): Promise<Reading<RegistryMessage | null>>
  /** Takes a message off the queue. 2303: it is gone already. */
  acknowledge(id: string): Promise<Reading<null>>
  /**
   * Hands messages over one after the other for as long as it runs, each acknowledged once `take` has resolved: commit in
   * it. One that it rejects stays and comes again, and so does every one after a crash, and another process may have it
   * at the same time: taking one twice must do nothing.
   */
  listen(take: (message: RegistryMessage) => Promise<void>): RegistryListener
}

export interface RegistryListener {
  /** For how many seconds the registry has not answered, or has not let us in: messages are asked for all the time. 0 while it does. */
  awayForS(): number
  /** Resolves once no message is being taken any more. */
  close(): Promise<void>
}

/** What came of a question. */
export type Reading<T> = Done<T> | Refused | Fault | NotSent | Unknown

/** What came of a transform. */
export type Outcome<T> = Reading<T> | Pending<T>

/** The registry's answer, for the log of operations and for `last_error`. */
export interface RegistryReply {
  /** RFC 5730 §3. */
  readonly code: number
  /** The registry's own text, with its reasons; in English wherever it has English. */
  readonly message: string
  /** The registry's name of the transaction; its support asks for it. Empty when it gave none. */
  readonly svTrid: string
}

/** It is so, and has been done: 1000, 1300, 1301, 1500. */
export interface Done<T> {
  readonly kind: 'done'
  readonly value: T
  readonly reply: RegistryReply
}

/** The registry has taken it on and will tell by a message (1001). `value` is what it already says of it. */
export interface Pending<T> {
  readonly kind: 'pending'
  readonly value: T | null
  readonly reply: RegistryReply
}

/** The registry will not, for a reason that lies in the name, the customer's data or the object's state. Nothing has happened. */
export interface Refused {
  readonly kind: 'refused'
  readonly reply: RegistryReply
}

/** Not the customer's failure: hold and alert. Nothing has happened. */
export interface Fault {
  readonly kind: 'fault'
  /** balance: our account there is empty (2104) · login: it does not let us in · protocol: it does not understand or support what we sent. */
  readonly fault: 'balance' | 'login' | 'protocol'
  readonly reply: RegistryReply
}

/** No session could be had, so nothing was written: it may be sent again at once, as the same attempt. */
export interface NotSent {
  readonly kind: 'not_sent'
  /** For the log. */
  readonly why: string
}

/**
 * Nobody knows whether it has happened: no answer, one that cannot be read, or 24xx and 25xx. The connection that it went
 * over was closed before this was returned.
 */
export interface Unknown {
  readonly kind: 'unknown'
  /** For the log. */
  readonly why: string
  readonly reply: RegistryReply | null
}

/** An amount as registries write it: `12.50` and an ISO 4217 code. Decimal text, so that nothing is rounded on the way. */
export interface Money {
  readonly amount: string
  readonly currency: string
}

export interface DomainCheck {
  readonly name: string
  readonly isAvailable: boolean
  /** Why not, in the registry's words; null when it is available or the registry does not say. */
  readonly reason: string | null
  /**
   * Which commands have a price of their own for this name: `fees` must then be given with them. Where the registry tells no prices of
   * a name, all of them, and no fees.
   */
  readonly isPremium: {
    readonly create: boolean
    readonly renew: boolean
    readonly transfer: boolean
  }
  /** What it costs us, for the years asked; null: the registry did not say. */
  readonly fees: {
    readonly create: Money | null
    readonly renew: Money | null
    readonly transfer: Money | null
    readonly restore: Money | null
  }
}

export interface DomainInfo {
  readonly name: string
  /** The registry's id of the object; a domain deleted and registered again has another. */
  readonly roid: string
  /** RFC 5731 §2.3, such as `ok`, `inactive`, `clientTransferProhibited`, `pendingTransfer`. */
  readonly statuses: readonly string[]
  /** RFC 3915 §3.1, such as `addPeriod`, `redemptionPeriod`, `pendingRestore`. */
  readonly graceStatuses: readonly string[]
  /** The contact id of who has it; null where the registry keeps or shows none. */
  readonly registrant: string | null
  readonly contacts: readonly DomainContact[]
  /** Sorted. */
  readonly nameservers: readonly string[]
  /** The hosts below it, sorted. */
  readonly subordinateHosts: readonly string[]
  /** A resolver that validates wants signatures: it has DS records, or, at some registries, the keys that these are made of. */
  readonly isSigned: boolean
  readonly dsRecords: readonly DsRecord[]
  /** The registrar it is with: ours when it is `registrarId` (`sameId`). */
  readonly sponsor: string
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
  readonly expiresAt: Date | null
  readonly transferredAt: Date | null
  /** The transfer code, where the registry still tells it to the sponsor; many keep only a hash. */
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
  /** The transfer code: 8 to 32 characters are taken everywhere. The same in every attempt. */
  readonly authInfo: string
  /** Where it is premium: what `check` said. The registry refuses any other amount (2004), or none (2003). */
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

/** What a command cost us and what is left on our account, where the registry says so. */
export interface Charged {
  readonly fee: Money | null
  readonly balance: Money | null
}

export interface TransferRequest {
  readonly name: string
  readonly authInfo: string
  /** By how much the transfer renews it; left out, as the registry does by itself: mostly one year, at some none. */
  readonly years?: number
  readonly fee?: Money
}

/** RFC 5731 §3.1.3. */
export interface Transfer {
  readonly name: string
  readonly status: TransferStatus
  /** The registrar who asked: ours when it is a transfer in. */
  readonly requestedBy: string
  readonly requestedAt: Date
  /** The registrar who must act, or has. */
  readonly actor: string
  /** By when it must have acted, or when it has. */
  readonly actBy: Date
  /** The expiry that the domain has after it, where the registry says so. */
  readonly expiresAt: Date | null
}

export type TransferStatus =
  | 'pending'
  | 'clientApproved'
  | 'clientRejected'
  | 'clientCancelled'
  | 'serverApproved'
  | 'serverCancelled'

/** What is to be different. Members that are left out stay as they are. */
export interface DomainChange {
  readonly nameservers?: Difference<string>
  /** Those that begin with `client`; the others are the registry's. */
  readonly statuses?: Difference<ClientStatus>
  readonly contacts?: Difference<DomainContact>
  /** `none`: all go, and the keys that a registry has in place of them. */
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

/** RFC 3915 §4.2.5: what the registry wants to know before it completes a restore. */
export interface RestoreReport {
  /** The registration before the deletion and as restored, as free text. */
  readonly before: string
  readonly after: string
  readonly deletedAt: Date
  readonly restoredAt: Date
  readonly reason: string
  /** Both are signed by us: that the restore is for the registrant, and that the report is true. */
  readonly statements: readonly [string, string]
}

export interface RegistryContact {
  /** 3 to 16 characters, drawn by the caller and stored before: registries have one namespace for all registrars. */
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
  /** Digits; empty: there is none. */
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
 * What a message is about, as far as the registry says it in a form that can be read. Treat it as a hint and ask `info`: it
 * tells what was, not what is.
 */
export type RegistryNews =
  /** A transfer, in or out, was asked for or has ended. */
  | { readonly kind: 'transfer'; readonly transfer: Transfer }
  /** What was `pending` has been decided. `clTrid` is the one of the command. */
  | {
      readonly kind: 'decided'
      readonly domain: string
      readonly wasDone: boolean
      readonly clTrid: string | null
      readonly at: Date
    }
  /** A domain is now like this: renewed, deleted or changed by the registry. */
  | { readonly kind: 'domain'; readonly info: DomainInfo }
  /** Anything else, such as a low balance: a person reads `text`. `unread`: it says more, in a form that cannot be read for this reason. */
  | { readonly kind: 'other'; readonly unread?: string }

/** The domain that news is about; undefined: none, or not in a form that can be read. */
export function domainIn(news: RegistryNews): string | undefined {
  if (news.kind === 'transfer') return news.transfer.name
  if (news.kind === 'decided') return news.domain
  return news.kind === 'domain' ? news.info.name : undefined
}
