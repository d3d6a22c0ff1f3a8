import assert from 'node:assert/strict'
import { claimedChanges } from '#modules/domains/default-lock.ts'
import { claimChanges, claimLooks } from '#modules/domains/domain-worker.ts'
import { addRegistered, type SyncWork } from '#modules/domains/index.ts'
import { syncDomain } from '#modules/domains/sync-domain.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import type { Registration, Registry } from '#ports/registry.ts'
import type { RegistryStaff } from './registry-staff.ts'
import { done, register, type SandboxRegistry } from './sandbox-registry.ts'
import type { TestAnswer, TestApi } from './test-api.ts'
import { TestPerson } from './test-person.ts'

/** Commands that change something. */
const transforms = /:(create|update|delete|renew|transfer (request|approve|reject|cancel))$/

/** A person who has domains at the sandbox's registry, and the dependencies of the worker's part. */
export class TestOwner {
  readonly person: TestPerson
  readonly accountId: string
  readonly work: SyncWork
  readonly registry: Registry
  readonly #server: SandboxRegistry
  readonly #api: TestApi
  #names = 0

  private constructor(parts: { api: TestApi; server: SandboxRegistry; person: TestPerson; accountId: string }) {
    const { database, orders } = parts.api
    const { registries, secrets, log } = orders
    this.#api = parts.api
    this.#server = parts.server
    this.person = parts.person
    this.accountId = parts.accountId
    this.work = { database, registries, secrets, log, site: 'http://dashboard.test' }
    this.registry = registries.registryOf('any.test') ?? assert.fail('no registry is connected')
  }

  static async make(api: TestApi, server: SandboxRegistry, email = 'owner@example.net'): Promise<TestOwner> {
    const person = await TestPerson.secured(api, email)
    const { id } = (await person.call('GET', '/account')).body
    return new TestOwner({ api, server, person, accountId: id })
  }

  /** Registers a domain for the account, as an order would, with a live zone. */
  async domain(more: Partial<Registration> & { prefix?: string; tld?: string } = {}): Promise<string> {
    const { prefix = 'held', tld = 'test', ...registration } = more
    const name = `${prefix}${++this.#names}.${tld}`
    await register(this.registry, name, registration)
    await this.take(name)
    return name
  }

  /** Gives the account a domain that is ours at the registry. The domain has no default lock, because tests of changes begin without one. */
  async take(name: string): Promise<void> {
    const { registrant, expiresAt, nameservers } = done(await this.registry.domains.info(name))
    await this.#api.database.transact(async (tx) => {
      const { id } = await addRegistered(tx, this.#api.orders.giveZone, actorNamed('system', 'test'), {
        name,
        tld: name.slice(name.indexOf('.') + 1),
        accountId: this.accountId,
        orderId: `ord_${name}`,
        contact: null,
        registrantId: registrant,
        autoRenew: false,
        expiresAt,
        nameservers,
      })
      await sql`delete from domain_acts where domain_id = ${id}`.execute(tx)
    })
  }

  call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.person.call(method, `/domains/${path}`, { headers, ...(body !== undefined && { body }) })
  }

  /** An unused code. */
  code(): string {
    return this.person.backupCodes.shift() ?? assert.fail('there are no backup codes left')
  }

  async unlock(name: string): Promise<TestAnswer> {
    return this.call('POST', `${name}/unlock`, { code: this.code() })
  }

  /** Our commands about these objects that have arrived at the registry and change something, the oldest first. */
  sent(...subjects: string[]): string[] {
    return this.#server.epp.noted
      .filter(
        ({ registrar, command, subject }) =>
          registrar === 'zonewright' && subjects.includes(subject) && transforms.test(command),
      )
      .map(
        ({ command, code, answered }) =>
          `${command}${code >= 2000 ? ` ${code}` : ''}${answered === null ? '' : ` ${answered}`}`,
      )
  }

  /** Makes all work on domains due now, and runs it until none is left. */
  async workNow(): Promise<void> {
    const { db } = this.#api.database
    await sql`update domain_acts set due_at = app_now(), lease_until = null where state = 'open'`.execute(db)
    await sql`update domains set sync_at = app_now() where state = 'held'`.execute(db)
    while ((await workDomains(this.work)) > 0);
  }

  /** The audit log's entries about a domain since it was registered, as `action actor`. */
  async audit(name: string): Promise<string[]> {
    const { rows } = await sql<{ action: string; actor: string }>`
      select action, actor_name as actor from audit_log where domain = ${name} and action <> 'domain.registered' order by id`.execute(
      this.#api.database.db,
    )
    return rows.map(({ action, actor }) => `${action} ${actor}`)
  }

  /** The states of a domain's commands in the database. */
  async operations(name: string): Promise<string[]> {
    const { rows } = await sql<{ command: string; state: string }>`
      select o.command, o.state from registry_commands o join domain_acts a on a.id = o.change_id join domains d on d.id = a.domain_id
      where d.name = ${name} order by o.id`.execute(this.#api.database.db)
    return rows.map(({ command, state }) => `${command} ${state}`)
  }
}

/** Processes the due work on domains, as a worker would. Returns how much there was. */
export async function workDomains(work: SyncWork): Promise<number> {
  const changes = await claimChanges(work, 50)
  const looks = await claimLooks(work, 50)
  await Promise.all([...changes.map(claimedChanges(work)), ...looks.map((domain) => syncDomain(work, domain))])
  return changes.length + looks.length
}

/** The statuses that a domain's sponsor has set, sorted. */
export function statusesAt(staff: RegistryStaff, name: string): string[] {
  return [...(staff.domain(name)?.clientStatuses ?? [])].sort()
}
