-- Run once by the image of PostgreSQL on a new volume, as the superuser, whom nothing else uses. docs/operations.md says why two roles.
\getenv owner_password POSTGRES_OWNER_PASSWORD
\getenv app_password POSTGRES_APP_PASSWORD
create role energy_owner login password :'owner_password';
create role energy_app login password :'app_password';
create database energy owner energy_owner encoding 'UTF8' template template0;
revoke connect, temporary on database energy from public;
grant connect on database energy to energy_app;
