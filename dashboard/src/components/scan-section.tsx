import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Answer, call } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { Failure } from '../ui/feedback.tsx'
import { Icon } from '../ui/icons.tsx'
import { Section } from '../ui/page.tsx'

type Scan = Answer<'getScan'>

/** Finds the records at the current DNS provider. A scan that ends while the page shows it is reviewed immediately. */
export function ScanSection({
  zone,
  isReviewed,
  review,
}: {
  zone: string
  /** The page shows the review of what was found. */
  isReviewed: boolean
  review: (zoneFile: string) => void
}) {
  const client = useQueryClient()
  const query = queries.scan(zone)
  const { data: scan, error, refetch } = useQuery(query)
  const start = useMutation({
    mutationFn: () => call('startScan', { params: { zone } }),
    onSuccess: (started) => client.setQueryData(query.queryKey, started),
    // The response can be lost, or someone else has started a scan: then that scan is shown instead of the error.
    onError: async () => {
      const { data: latest } = await refetch()
      if (latest?.created_at !== scan?.created_at) start.reset()
    },
  })
  const isRunning = scan?.state === 'waiting' || scan?.state === 'running'
  const wasRunning = useRef(false)
  const file = scan?.zone_file ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the scan matters, not a new `review`
  useEffect(() => {
    if (wasRunning.current && scan?.state === 'done' && file !== '') review(file)
    wasRunning.current = isRunning
  }, [isRunning, scan?.state, file])
  return (
    <Section
      title="Records at your current provider"
      lead="Find the records that the current nameservers of the domain have, and review them here. This imports nothing yet."
    >
      <Failure error={start.error ?? error} {...(!start.error && { retry: () => void refetch() })} />
      {isRunning && <Running scan={scan} />}
      {scan?.state === 'failed' && (
        <Alert
          color="orange"
          variant="light"
          role="status"
          title="No records were found"
          icon={<Icon name="warning" />}
        >
          {scan.failure?.message} You can also import a zone file below.
        </Alert>
      )}
      {scan?.state === 'done' && <Text size="sm">{foundIn(scan)}</Text>}
      {!isRunning && scan !== undefined && (
        <Group>
          {scan.state === 'done' && file !== '' ? (
            <Button variant={isReviewed ? 'default' : 'filled'} onClick={() => review(file)}>
              Review the records
            </Button>
          ) : (
            <Button loading={start.isPending} onClick={() => start.mutate()}>
              {scan.state === 'none' ? 'Find the records' : 'Search again'}
            </Button>
          )}
        </Group>
      )}
    </Section>
  )
}

function Running({ scan: { state, progress } }: { scan: Scan }) {
  const { questions, most, records } = progress
  const text =
    state === 'waiting' && questions > 0
      ? 'Waiting until the nameserver is free…'
      : `Asking the nameservers: ${questions} of at most ${most} queries, ${counted(records)} found.`
  return (
    <>
      <Progress value={(100 * questions) / most} aria-label="Progress of the search" transitionDuration={100} />
      <Text size="sm" className="quiet" role="status" aria-live="polite">
        {text}
      </Text>
    </>
  )
}

function foundIn({ progress, nameserver, complete }: Scan): string {
  const found = `${nameserver} has ${counted(progress.records)}${complete ? '' : ' with common names'}.`
  if (complete) return `${found} The list is complete.`
  return `${found} It may have more: compare the list with the records that your provider shows.`
}

function counted(records: number): string {
  return records === 1 ? '1 record' : `${records.toLocaleString('en')} records`
}
