import { z } from 'zod'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

const scanStates = ['waiting', 'running', 'done', 'failed'] as const
const scanMethods = ['transfer', 'questions'] as const

export type ScanState = (typeof scanStates)[number]
export type ScanMethod = (typeof scanMethods)[number]

/** Why a scan found nothing, each with the sentence for the customer. */
const scanFailures = {
  parent_unknown: 'The nameservers of the domain could not be determined. Try again later.',
  not_delegated: 'The domain has no nameservers yet, so there are no records to find.',
  delegated_here: 'The domain already uses the nameservers of this service, so there are no records to find elsewhere.',
  no_address: 'The nameservers of the domain have no public address.',
  no_answer: 'The nameservers of the domain do not answer for this zone.',
  busy: 'Other scans kept the nameservers of the domain busy. Try again later.',
  interrupted: 'The scan was interrupted. Start it again.',
} as const

export type ScanFailure = keyof typeof scanFailures

const scanSchema = z
  .object({
    state: z.enum(['none', ...scanStates]).meta({
      description:
        '`none`: the zone has no scan, or the service has deleted the result of the last scan. `waiting`: the scan has not started yet, or waits because other scans use the same nameservers. `running`: the service is querying a nameserver. `done`: `zone_file` has the records. `failed`: `failure` has the reason.',
    }),
    created_at: z.string().nullable().meta({
      format: 'date-time',
      description: 'The time at which the scan was requested. It is null if the state is `none`.',
    }),
    finished_at: z
      .string()
      .nullable()
      .meta({ format: 'date-time', description: 'The time at which the scan ended. It is null until the scan ends.' }),
    expires_at: z.string().nullable().meta({
      format: 'date-time',
      description: 'The time at which the service deletes the result. It is null until the scan ends.',
    }),
    progress: z.object({
      questions: z.int().meta({ description: 'The number of messages sent to nameservers.' }),
      most: z.int().meta({ description: 'The maximum number of messages that a scan sends.' }),
      records: z.int().meta({ description: 'The number of records found.' }),
    }),
    nameserver: z.string().nullable().meta({
      description: 'The nameserver that answered. It is null until the scan ends.',
      example: 'ns1.provider.example',
    }),
    method: z.enum(scanMethods).nullable().meta({
      description:
        '`transfer`: the nameserver sent the whole zone (AXFR). `questions`: the service queried common names, or the names in NSEC records. The field is null until the scan ends.',
    }),
    complete: z.boolean().meta({
      description:
        'True if no record is missing. In this case, the nameserver sent the whole zone, or the NSEC records listed all names. If false, the service found only records with common names.',
    }),
    zone_file: z.string().nullable().meta({
      description:
        'The records as a zone file. Review the file with `POST /zones/{zone}/import?dry_run=true`, and then import it. Lines that an import would refuse are commented out. The field is null unless the state is `done`.',
      example: 'www.example.com.\t3600\tIN\tA\t192.0.2.1\n',
    }),
    failure: z
      .object({
        code: z.enum(Object.keys(scanFailures) as [ScanFailure, ...ScanFailure[]]),
        message: z.string().meta({ description: 'Human-readable text that says what is wrong and what to do.' }),
      })
      .nullable(),
  })
  .meta({ id: 'Scan' })

export type WireScan = z.infer<typeof scanSchema>

/** A scan in the code's form. */
export interface ScanView {
  readonly state: ScanState
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly expiresAt: Date | null
  readonly questions: number
  readonly records: number
  readonly nameserver: string | null
  readonly method: ScanMethod | null
  readonly isComplete: boolean
  readonly zoneFile: string | null
  readonly failure: ScanFailure | null
}

/** Maximum number of messages of one scan. They are queries, retries over TCP, and the transfer. */
export const maxScanQuestions = 150

const noScan: WireScan = {
  state: 'none',
  created_at: null,
  finished_at: null,
  expires_at: null,
  progress: { questions: 0, most: maxScanQuestions, records: 0 },
  nameserver: null,
  method: null,
  complete: false,
  zone_file: null,
  failure: null,
}

/** `undefined`: the zone has no scan. */
export function scanToWire(scan: ScanView | undefined): WireScan {
  if (scan === undefined) return noScan
  return {
    state: scan.state,
    created_at: scan.createdAt.toISOString(),
    finished_at: scan.finishedAt?.toISOString() ?? null,
    expires_at: scan.expiresAt?.toISOString() ?? null,
    progress: { questions: scan.questions, most: maxScanQuestions, records: scan.records },
    nameserver: scan.nameserver,
    method: scan.method,
    complete: scan.isComplete,
    zone_file: scan.zoneFile,
    failure: scan.failure === null ? null : { code: scan.failure, message: scanFailures[scan.failure] },
  }
}

export const scanRoutes = {
  startScan: route({
    id: 'startScan',
    method: 'POST',
    path: '/zones/{zone}/scan',
    who: ['records:write'],
    wholeZone: true,
    summary: 'Find the records at the current DNS provider',
    description:
      'The call starts a scan and returns immediately. During the scan, the service queries a current nameserver of the domain: it tries a zone transfer (AXFR), follows NSEC records, and queries common names. Read the result with `GET /zones/{zone}/scan`. A scan does not change the zone. To import the records, send the `zone_file` of the scan to `POST /zones/{zone}/import`.\n\nThe zone must be live, because the account must have control of the name. You can scan a zone once in 10 minutes, and an account can start 20 scans an hour.',
    params: zoneParams,
    answers: { 202: scanSchema },
    errors: ['conflict'],
  }),
  getScan: route({
    id: 'getScan',
    method: 'GET',
    path: '/zones/{zone}/scan',
    who: ['records:write'],
    wholeZone: true,
    summary: 'Read the last scan of a zone',
    description:
      'The service keeps the result for an hour. When the result is deleted, and before the first scan, the state is `none`.',
    params: zoneParams,
    answers: { 200: scanSchema },
  }),
}
