import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { ProviderButtons } from '../forms/provider-buttons.tsx'
import { SignInForm } from '../forms/sign-in-form.tsx'
import { TextLink } from '../ui/links.tsx'
import { invitedIn } from '../util/invited.ts'
import { paths } from '../util/paths.ts'

export function SignInPage() {
  const { back } = useSearch({ from: '/sign-in' })
  const invited = invitedIn(back)
  const navigate = useNavigate()
  const router = useRouter()
  const goOn = async (): Promise<void> => {
    queryClient.clear()
    // Only pages of ours, so that a link cannot redirect to another site.
    if (back?.startsWith('/') && !back.startsWith('//')) router.history.push(`/app${back.replace(/^\/app(?=\/)/, '')}`)
    else await navigate(paths.zones())
  }
  return (
    <AuthFrame
      title="Sign in"
      foot={
        <>
          No account yet? <TextLink {...paths.signUp(invited)}>Sign up</TextLink> ·{' '}
          <TextLink {...paths.forgotPassword()}>Forgot password?</TextLink>
        </>
      }
    >
      <SignInForm suggested={invited} onSignedIn={() => void goOn()} />
      <ProviderButtons back={back} />
    </AuthFrame>
  )
}
