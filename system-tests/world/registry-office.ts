import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { createEppRegistries, readEppSettings } from '@zonewright/service/epp'
import type { Registry } from '@zonewright/service/registry-port'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** A command as the sandbox's registry recorded it. */
export interface NotedCommand {
  readonly registrar: string | null
  readonly command: string
  readonly subject: string
  readonly code: number
}

/** A domain as the sandbox's registry stores it. */
export interface KeptDomain {
  readonly sponsor: string
  readonly expiresAt: number
  readonly nameservers: string[]
  /** RFC 5731 §2.3. */
  readonly statuses: string[]
}

const quiet = { info: () => undefined, warn: () => undefined }

/** The sandbox's registry from the other side: its staff, over HTTP, and another registrar, over EPP. */
export class RegistryOffice {
  readonly #url: string
  /** The other registrar. */
  readonly rival: Registry
  #drawn = 0

  private constructor(url: string, rival: Registry) {
    this.#url = url
    this.rival = rival
  }

  static async of({ facts }: World): Promise<RegistryOffice> {
    const access: unknown = JSON.parse(await readFile(join(facts.registry.epp_dir, 'rival.json'), 'utf8'))
    const registries = createEppRegistries([readEppSettings('rival', facts.registry.tlds, access)], quiet)
    after(() => registries.close())
    const [rival] = registries.all
    assert.ok(rival)
    return new RegistryOffice(facts.registry.url, rival)
  }

  /** Sets the outcome of the next command of this kind about this name, once. */
  async once(command: string, name: string, behaviour: object): Promise<void> {
    await this.behave(command, name, { ...behaviour, times: 1 })
  }

  /** Sets the outcome of every command of this kind about this name, until it is set again. */
  async behave(command: string, name: string, behaviour: object): Promise<void> {
    await this.#send('PUT', `epp/behaviour?${new URLSearchParams({ command, name })}`, behaviour)
  }

  /** Delegates a name of the TLD that no one has registered. */
  async delegate(name: string, nameservers: readonly string[]): Promise<void> {
    await this.#send('PUT', `delegations/${name}`, { nameservers })
  }

  /** Sets the address of a third party's nameserver, `host:port`. */
  async setHost(name: string, address: string): Promise<void> {
    await this.#send('PUT', `hosts/${name}`, { address })
  }

  /** Ends every connection. */
  async closeSessions(): Promise<void> {
    await this.#send('DELETE', 'epp/sessions')
  }

  /** Decides a pending operation, which queues a message. */
  async decide(name: string, isDone: boolean): Promise<void> {
    await this.#send('POST', `epp/decisions/${name}`, { done: isDone })
  }

  /** Our commands that change a name, oldest first. */
  async sent(name: string): Promise<NotedCommand[]> {
    const { data } = (await (await fetch(`${this.#url}epp/log`)).json()) as { data: NotedCommand[] }
    const transforms = ['domain:create', 'domain:renew', 'domain:transfer request', 'domain:update']
    return data.filter(
      ({ registrar, subject, command }) =>
        registrar === 'zonewright' && subject === name && transforms.includes(command),
    )
  }

  /** Waits until a command about a name has arrived. */
  async untilSent(name: string, command: string, times = 1): Promise<void> {
    await eventually(
      `${command} of ${name} arrives`,
      async () => (await this.sent(name)).filter((each) => each.command === command).length >= times,
    )
  }

  async domain(name: string): Promise<KeptDomain | undefined> {
    const answer = await fetch(`${this.#url}epp/domains/${name}`)
    return answer.ok ? ((await answer.json()) as KeptDomain) : undefined
  }

  /** Registers a name for the other registrar, with this transfer code. */
  async registerElsewhere(name: string, authInfo = 'their-code'): Promise<void> {
    const id = `RIVAL${++this.#drawn}`
    const person = { name: 'Eve Eze', organization: '', street: ['3 Rival Road'], city: 'Abuja', state: 'FC' }
    const address = {
      postalCode: '900001',
      country: 'NG',
      phone: '+234.8012345678',
      phoneExtension: '',
      email: 'eve@example.org',
    }
    const { contacts, domains } = this.rival
    assert.equal((await contacts.create({ id, ...person, ...address }, 'rival-Secret1', `r-${id}`)).kind, 'done')
    const registration = { name, years: 1, registrant: id, contacts: [], nameservers: [], authInfo }
    assert.equal((await domains.create(registration, `d-${id}`)).kind, 'done')
  }

  async #send(method: string, path: string, body?: object): Promise<void> {
    const answer = await fetch(`${this.#url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    assert.equal(answer.status, 200, await answer.text())
  }
}
