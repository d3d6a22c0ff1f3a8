import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyBlock } from '../ui/copy.tsx'
import { verificationCodes } from '../util/verification-code.ts'
import { DocsLink } from './docs-link.tsx'

/** Code with which a receiver checks signatures, in the language that the person chooses. */
export function VerificationCodes() {
  const [chosen, setChosen] = useState<string>('typescript')
  const shown = verificationCodes.find(({ id }) => id === chosen)
  return (
    <Stack gap="xs">
      <Text size="sm">
        Verify each request with the secret in <code>WEBHOOK_SECRET</code>.{' '}
        <DocsLink page="webhooks">Read about verification</DocsLink>
      </Text>
      <div>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={verificationCodes.map(({ id, label }) => ({ value: id, label }))}
          value={chosen}
          onChange={setChosen}
        />
      </div>
      {shown && <CopyBlock text={shown.code} what="the code" />}
    </Stack>
  )
}
