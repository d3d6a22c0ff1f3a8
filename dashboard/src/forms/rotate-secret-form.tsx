import { Button, Group, Select, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { Failure } from '../ui/feedback.tsx'

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'One hour' },
  { value: '24', label: 'One day' },
  { value: '72', label: 'Three days' },
]

/** A new secret, with a time during which the old one also signs. */
export function RotateSecretForm({
  endpointId: id,
  onRotated,
}: {
  endpointId: string
  onRotated: (secret: string) => void
}) {
  const [overlap, setOverlap] = useState('24')
  const rotate = useMutation({
    mutationFn: () => call('rotateWebhookSecret', { params: { id }, body: { overlap_hours: Number(overlap) } }),
    onSuccess: ({ secret }) => onRotated(secret),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        rotate.mutate()
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end">
          <Select
            label="Keep the old secret valid for"
            data={overlaps}
            value={overlap}
            allowDeselect={false}
            onChange={(value) => setOverlap(value ?? '24')}
          />
          <Button type="submit" variant="default" loading={rotate.isPending}>
            Rotate secret
          </Button>
        </Group>
        <Failure error={rotate.error} />
      </Stack>
    </form>
  )
}
