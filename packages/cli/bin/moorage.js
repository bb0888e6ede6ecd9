#!/usr/bin/env node
import '../bundle/moorage.js';
