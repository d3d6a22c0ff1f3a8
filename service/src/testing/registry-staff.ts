import assert from 'node:assert/strict'
import type { EppBehaviour, NotedCommand } from '@zonewright/sandbox'
import type { ClientStatus, Registry } from '#ports/registry.ts'
import { done, register, type SandboxRegistry, trid } from './sandbox-registry.ts'

/** Commands that change something, or request a change. */
const transforms = ['contact:create', 'domain:create', 'domain:renew', 'domain:transfer request']

/** The properties of a domain at the registry that tests check. */
export interface KeptDomain {
  readonly roid: string
  readonly sponsor: string
  readonly expiresAt: number
  readonly nameservers: readonly string[]
  readonly clientStatuses: readonly string[]
  readonly authInfo: string | null
  readonly creator: string
  readonly createdAt: number
  readonly transfer?: { readonly status: string }
  /** The command that waits for a decision. */
  readonly pending?: { readonly status: string }
}

/** What the registry's own staff, and another registrar, do there while orders are in progress. */
export class RegistryStaff {
  readonly #server: SandboxRegistry
  readonly #refused = new Map<string, number>()
  /** Another registrar. */
  readonly rival: Registry

  constructor(server: SandboxRegistry) {
    this.#server = server
    this.rival = server.connect('rival')
  }

  /** Makes the next command of this kind fail once: about this name, or about any name if it is empty. */
  once(command: string, behaviour: EppBehaviour, name = ''): void {
    this.#server.epp.behaviours.set({ ...behaviour, times: 1 }, command, name)
  }

  /** The next command of this kind is executed, and its answer is lost. */
  loseAnswer(command: string, name = ''): void {
    this.once(command, { answer: 'drop' }, name)
  }

  /** The next command of this kind is sent, but never arrives. */
  loseCommand(command: string, name = ''): void {
    this.once(command, { skip: true, answer: 'drop' }, name)
  }

  /** Cancels all planned failures of commands about a name. */
  behave(name: string): void {
    for (const command of ['create', 'renew', 'transfer', 'info'])
      this.#server.epp.behaviours.set({}, `domain:${command}`, name)
  }

  /** Registers a name for the other registrar, with the transfer code `their-code`. */
  async put(name: string, { statuses = [] }: { statuses?: readonly ClientStatus[] } = {}): Promise<void> {
    this.behave(name)
    await register(this.rival, name, { authInfo: 'their-code', nameservers: [] })
    if (statuses.length > 0) await this.lock(name, statuses)
  }

  async lock(name: string, statuses: readonly ClientStatus[] = ['clientTransferProhibited']): Promise<void> {
    done(await this.rival.domains.update(name, { statuses: { add: statuses, remove: [] } }, trid()))
  }

  /** The registry's data about a name. */
  domain(name: string): KeptDomain | undefined {
    return this.#server.epp.registry.domain(name)
  }

  /** Decides the pending command for a name, which queues a message about it. */
  async decide(name: string, isDone: boolean): Promise<void> {
    const url = `http://${this.#server.httpAddress}/epp/decisions/${name}`
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ done: isDone }) })
    assert.equal(answer.status, 200, `nothing is pending for ${name}`)
    if (!isDone) this.#refused.set(name, this.refusedPending(name) + 1)
  }

  /** How often a pending command about a name was refused. */
  refusedPending(name: string): number {
    return this.#refused.get(name) ?? 0
  }

  /** Ends the transfer of a name to us, as its losing registrar would. */
  async endTransfer(name: string, how: 'approve' | 'reject'): Promise<void> {
    const { domains } = this.rival
    this.behave(name)
    done(await (how === 'approve' ? domains.approveTransfer(name, trid()) : domains.rejectTransfer(name, trid())))
  }

  /** Our commands about a name that have arrived and that change something, the oldest first. Includes lost ones. */
  sent(name: string): string[] {
    return this.commands(name).map(({ command }) => command)
  }

  /** Gives us money for millions of domains. */
  async fund(): Promise<void> {
    for (const registrar of ['zonewright', 'rival']) {
      const url = `http://${this.#server.httpAddress}/epp/registrars/${registrar}`
      const answer = await fetch(url, { method: 'PUT', body: JSON.stringify({ balance: '10000000000.00' }) })
      assert.equal(answer.status, 200)
    }
  }

  commands(name: string): NotedCommand[] {
    return this.#server.epp.noted.filter(
      ({ registrar, command, subject }) =>
        registrar === 'zonewright' && subject === name && transforms.includes(command),
    )
  }
}
