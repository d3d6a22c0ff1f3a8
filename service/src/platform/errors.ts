import type { ErrorCode } from '@zonewright/contract'

/** Why a request is refused: every code of the API's errors except the one for our own faults. `http/problem.ts` gives each its status. */
type RefusalCode = Exclude<ErrorCode, 'internal'>

/** One fault of a request: where it is, a stable word, and what to do about it. */
export interface FaultDetail {
  /** JSON pointer into the body, or the name of a parameter. */
  path?: string
  /** Line of an imported zone file, from 1. */
  line?: number
  code: string
  message: string
}

/** Codes that a refusal takes over from its faults if all of them have the same one. */
const ownCodes = ['service_owned', 'missing_dot'] as const

/** A request that is refused for a reason its caller can act on. Anything else that is thrown becomes a bare 500. */
export class Refusal extends Error {
  /** Faults that a refusal lists. Validation stops at the next one. */
  static readonly maxFaults = 100

  readonly code: RefusalCode
  readonly details: readonly FaultDetail[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: RefusalCode,
    message: string,
    extra: { details?: readonly FaultDetail[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = extra.details ?? []
    this.headers = extra.headers ?? {}
  }

  /**
   * The refusal for a list of faults. Its code is theirs if they all have the same one of `ownCodes`, otherwise `validation_failed`.
   *
   * Its sentence names the first fault and counts the others, or says "and more" when there are more than `maxFaults`.
   */
  static of(faults: readonly FaultDetail[]): Refusal {
    const [first] = faults
    const code = ownCodes.find((own) => first && faults.every((fault) => fault.code === own)) ?? 'validation_failed'
    const place = first?.line === undefined ? first?.path : `line ${first.line}`
    const others =
      faults.length > Refusal.maxFaults ? ' (and more)' : faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    const message = `${place ? `${place}: ` : ''}${first?.message ?? 'The request is not valid.'}${others}`
    return new Refusal(code, message, { details: faults.slice(0, Refusal.maxFaults) })
  }
}

/** The faults of one request, collected while it is validated. */
export class Faults {
  readonly #found: FaultDetail[] = []

  get count(): number {
    return this.#found.length
  }

  /**
   * Notes a fault.
   *
   * @throws Refusal with the first `maxFaults` faults, for the first one beyond them: nothing after it is validated
   */
  add(fault: FaultDetail): void {
    this.#found.push(fault)
    if (this.#found.length > Refusal.maxFaults) throw Refusal.of(this.#found)
  }

  addAll(faults: Iterable<FaultDetail>): void {
    for (const fault of faults) this.add(fault)
  }

  /** @throws Refusal that lists the faults, if there are any */
  refuseAny(): void {
    if (this.#found.length > 0) throw Refusal.of(this.#found)
  }
}
