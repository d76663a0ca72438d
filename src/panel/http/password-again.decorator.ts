import { SetMetadata } from '@nestjs/common';
import type { Form } from './form';

export const NEEDS_PASSWORD = 'panel-needs-password';
export type NeedsPassword = (form: Form) => boolean;

export const WITHOUT_SECOND_FACTOR = 'panel-without-second-factor';

/**
 * The password must have been given within the last ten minutes; else the form comes back with a field for it, and is sent on from
 * there. `when`: which forms of this route.
 */
export const PasswordAgain = (when: NeedsPassword = () => true) => SetMetadata(NEEDS_PASSWORD, when);

/** Operators reach it even where a second factor is required and they have none yet. */
export const WithoutSecondFactor = () => SetMetadata(WITHOUT_SECOND_FACTOR, true);

export const PANEL_ACCESS = 'panel-access';

/** Who may open a page. */
export type PanelAccess = 'anyone' | 'user' | 'operator';
