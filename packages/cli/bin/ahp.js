#!/usr/bin/env node
import '../bundle/ahp.js';
