// Everything stays between this browser and this service: the token goes into the browser's own storage, no validator is asked.
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  persistAuthorization: true,
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
