import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { Failure } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'
import { sayFailure } from '../util/say-failure.ts'
import { AuthFrame } from './auth-frame.tsx'

/** Shown for a page that failed completely. */
export function PageFailed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <AuthFrame title={sayFailure(error).title}>
      <Failure error={error} retry={() => void router.invalidate()} title="This page could not be loaded" />
    </AuthFrame>
  )
}

/** Shown for a path without a page. */
export function NotFound() {
  return (
    <AuthFrame title="Page not found" lead="The address may be mistyped, or the link may be old.">
      <ButtonLink {...paths.zones()}>Go to your zones</ButtonLink>
    </AuthFrame>
  )
}
