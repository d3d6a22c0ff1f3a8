import { Container, Group } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { FailedPage } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'

/** Shown for a page that failed completely. */
export function PageFailed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container size="sm" py="xl" component="main">
      <FailedPage error={error} retry={() => void router.invalidate()} />
    </Container>
  )
}

/** Shown for a path without a page. */
export function NotFound() {
  return (
    <Container size="sm" py="xl" component="main">
      <Page title="Page not found" lead="The address may be mistyped, or the link may be old.">
        <Group>
          <ButtonLink {...paths.zones()}>Go to your zones</ButtonLink>
        </Group>
      </Page>
    </Container>
  )
}
