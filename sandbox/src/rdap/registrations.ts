import type { RegistryZones } from '../dns/registry-zones.ts'

/** The registrar of a domain in RDAP. */
export interface SandboxRegistrar {
  readonly name: string
  readonly url: string
}

/** A registry's data of a domain. */
export interface Registration {
  readonly nameservers: readonly string[]
  readonly registeredAt: Date
  readonly expiresAt: Date
  readonly registrar?: SandboxRegistrar
}

/** The registry's data, if it was set to differ from its DNS data. */
export interface ToldRegistration {
  readonly nameservers?: readonly string[]
  readonly expiresAt?: Date
  readonly registrar?: SandboxRegistrar
}

/** The registrar of domains for which nothing else was set. */
const usualRegistrar: SandboxRegistrar = { name: 'Example Registrar', url: 'https://registrar.example/' }

const yearMs = 365 * 86_400_000

/**
 * The registry's data. Domains that were registered with EPP have their own data. Every other delegated domain is registered since the start, for a
 * year. Data that was set takes precedence over both.
 */
export class Registrations {
  readonly #zones: Pick<RegistryZones, 'nameserversOf'>
  readonly #startedAt = new Date()
  readonly #told = new Map<string, ToldRegistration>()

  readonly #registered: (domain: string) => Registration | undefined

  /** `registered` returns what is registered with EPP. */
  constructor(
    zones: Pick<RegistryZones, 'nameserversOf'>,
    registered: (domain: string) => Registration | undefined = () => undefined,
  ) {
    this.#zones = zones
    this.#registered = registered
  }

  tell(domain: string, told: ToldRegistration): void {
    this.#told.set(domain, told)
  }

  of(domain: string): Registration | undefined {
    const told = this.#told.get(domain)
    const registered = this.#registered(domain)
    const nameservers = told?.nameservers ?? registered?.nameservers ?? this.#zones.nameserversOf(domain)
    if (nameservers === undefined) return undefined
    const expiresAt = told?.expiresAt ?? registered?.expiresAt ?? new Date(this.#startedAt.getTime() + yearMs)
    const registeredAt = registered?.registeredAt ?? this.#startedAt
    return { nameservers, registeredAt, expiresAt, registrar: told?.registrar ?? usualRegistrar }
  }
}
