import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.layer.css'
import './ui/app.css'
import './ui/guide.css'
import { queryClient } from './api/query-client.ts'
import { router } from './router.tsx'
import { readableColours, theme } from './ui/theme.ts'
import { ToastHost } from './ui/toasts.tsx'
import { styleNonce } from './util/style-nonce.ts'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={readableColours}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <ToastHost />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
