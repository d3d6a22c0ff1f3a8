import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A field that a TLD requires in its contacts in addition to the usual ones. */
export interface ContactFieldSetting {
  readonly name: string
  readonly label: string
  readonly required: boolean
  /** The whole value matches; null: any text. */
  readonly pattern: string | null
  /** The allowed values. Null if any matching value is allowed. */
  readonly values: readonly string[] | null
}

/** A TLD that is sold. Prices are list prices in kobo; registration and renewal by the year. */
export interface TldSetting {
  /** Without a dot in front: `test`, `com.test`. */
  readonly tld: string
  readonly registerKobo: number
  readonly renewKobo: number
  readonly transferKobo: number
  readonly maxYears: number
  readonly idn: boolean
  readonly contactFields: readonly ContactFieldSetting[]
  /**
   * The price of premium names: kobo for each whole unit of the currency in which the registry sets its price. A name in any other currency is not
   * sold.
   */
  readonly premiumKoboPerUnit: Readonly<Record<string, number>>
}

/** A registry of the REGISTRIES file: what we sell from it, and how it is reached (`epp`: its adapter reads that part). */
export interface RegistrySetting {
  readonly id: string
  readonly tlds: readonly TldSetting[]
  readonly epp: unknown
}

const priceShape = z.strictObject({
  register_kobo: z.int().positive(),
  renew_kobo: z.int().positive(),
  transfer_kobo: z.int().positive(),
  max_years: z.int().min(1).max(10).default(10),
  idn: z.boolean().default(false),
  contact_fields: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
        label: z.string().min(1),
        required: z.boolean().default(true),
        pattern: z.string().refine(isPattern, 'is not a regular expression').nullable().default(null),
        values: z.array(z.string()).min(1).nullable().default(null),
      }),
    )
    .default([]),
  premium_kobo_per_unit: z.record(z.string().regex(/^[A-Z]{3}$/), z.int().positive()).default({}),
})

const fileShape = z.object({
  registries: z.array(
    z.object({
      id: z.string().min(1),
      tlds: z.array(z.string().regex(/^([a-z0-9-]{1,63}\.)*[a-z0-9-]{2,63}$/)).min(1),
      prices: z.record(z.string(), priceShape),
      epp: z.unknown().optional(),
    }),
  ),
})

/** Reads REGISTRIES, the path of a file; without one the sandbox's TLDs are sold. Throws an error that says in one line what is wrong with it. */
export function readRegistries(path: string): readonly RegistrySetting[] {
  return parseRegistries(path === '' ? sandboxRegistries : jsonOf(path))
}

export function parseRegistries(file: unknown): readonly RegistrySetting[] {
  const parsed = fileShape.safeParse(file)
  if (!parsed.success) {
    const [first] = parsed.error.issues
    throw new Error(`${first?.path.join('.') || 'the file'}: ${first?.message}`)
  }
  const seen = new Set<string>()
  return parsed.data.registries.map(({ id, tlds, prices, epp }) => ({
    id,
    epp,
    tlds: tlds.map((tld) => {
      const price = prices[tld]
      if (price === undefined) throw new Error(`registries.${id}.prices: the price for ${tld} is missing`)
      if (seen.has(tld)) throw new Error(`registries.${id}.tlds: ${tld} appears twice`)
      seen.add(tld)
      return {
        tld,
        registerKobo: price.register_kobo,
        renewKobo: price.renew_kobo,
        transferKobo: price.transfer_kobo,
        maxYears: price.max_years,
        idn: price.idn,
        contactFields: price.contact_fields,
        premiumKoboPerUnit: price.premium_kobo_per_unit,
      }
    }),
  }))
}

/** What is sold out of the box: the TLDs of the sandbox's registry. */
export const sandboxRegistries = {
  registries: [
    {
      id: 'sandbox',
      tlds: ['test', 'com.test'],
      prices: {
        test: {
          register_kobo: 1_250_000,
          renew_kobo: 1_400_000,
          transfer_kobo: 1_250_000,
          idn: true,
          premium_kobo_per_unit: { NGN: 120 },
        },
        'com.test': {
          register_kobo: 700_000,
          renew_kobo: 700_000,
          transfer_kobo: 700_000,
          max_years: 5,
          contact_fields: [
            {
              name: 'registrant_type',
              label: 'Type of registrant',
              values: ['person', 'company'],
            },
            {
              name: 'company_number',
              label: 'Company number, such as RC12345',
              required: false,
              pattern: 'RC[0-9]{4,10}',
            },
          ],
          premium_kobo_per_unit: { NGN: 120 },
        },
      },
    },
  ],
}

function jsonOf(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${path} is not JSON`)
  }
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
