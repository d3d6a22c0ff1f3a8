import { Button, Group } from '@mantine/core'
import { CopyText } from '../ui/copy.tsx'
import { Section } from '../ui/page.tsx'

/** The secret of an endpoint, from the only response that has it. Closing it removes it from the page. */
export function SecretOnce({ of, secret, onClose }: { of: string; secret: string; onClose: () => void }) {
  return (
    <Section title={`The secret of ${of}`} lead="Your server checks signatures with it. It is shown only now.">
      <CopyText text={secret} what="the secret" />
      <Group>
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Section>
  )
}
