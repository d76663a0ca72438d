// Everything stays between this browser and this service: no validator is asked, and the token lives as long as this tab. What the
// library would keep for ever, in the storage that all pages of this host share, is removed.
const KEPT = 'docs-authorized';
localStorage.removeItem('authorized');

const keeping = (action, system) => (payload) => {
  const result = action(payload);
  sessionStorage.setItem(KEPT, JSON.stringify(system.authSelectors.authorized()));
  return result;
};

const ui = globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  persistAuthorization: false,
  plugins: [() => ({ statePlugins: { auth: { wrapActions: { authorize: keeping, logout: keeping } } } })],
  onComplete() {
    const kept = sessionStorage.getItem(KEPT);
    if (kept !== null) ui.authActions.restoreAuthorization({ authorized: JSON.parse(kept) });
  },
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
