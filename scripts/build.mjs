import { ensureBuild } from './ensure-build.mjs';

ensureBuild();
