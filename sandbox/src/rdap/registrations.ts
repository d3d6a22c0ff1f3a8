import type { RegistryZones } from '../dns/registry-zones.ts'

/** The registrar of a domain, as RDAP has it. */
export interface SandboxRegistrar {
  readonly name: string
  readonly url: string
}

/** What a registry has about a domain. */
export interface Registration {
  readonly nameservers: readonly string[]
  readonly registeredAt: Date
  readonly expiresAt: Date
  readonly registrar?: SandboxRegistrar
}

/** What the registry has, where that is told apart from what its DNS says. */
export interface ToldRegistration {
  readonly nameservers?: readonly string[]
  readonly expiresAt?: Date
  readonly registrar?: SandboxRegistrar
}

/** Of domains about which nothing else was told. */
const usualRegistrar: SandboxRegistrar = { name: 'Example Registrar', url: 'https://registrar.example/' }

const yearMs = 365 * 86_400_000

/**
 * The registry's data: what is registered by EPP; and every other delegated domain is registered since the start and for a year. What was
 * told goes before both.
 */
export class Registrations {
  readonly #zones: Pick<RegistryZones, 'nameserversOf'>
  readonly #startedAt = new Date()
  readonly #told = new Map<string, ToldRegistration>()

  readonly #registered: (domain: string) => Registration | undefined

  /** `registered` tells what is registered by EPP. */
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
